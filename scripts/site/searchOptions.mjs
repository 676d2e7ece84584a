/** How sections are indexed and found. The build and the browser use the same options. */
export const searchOptions = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  searchOptions: {
    prefix: true,
    combineWith: "AND",
    boost: { title: 4, page: 2 },
    fuzzy: (word) => (word.length > 4 ? 0.15 : 0),
    // Guides come before the reference, and both before single errors and the pages for those who change Serac.
    boostDocument: (id) => {
      if (/^[A-Z]|^contributing\/|^decisions\.|^test\/|errors\.html#/.test(id)) return 0.02
      return id.startsWith("reference/") ? 0.05 : 1
    },
  },
}

/** Returns the sections for what somebody typed: first those of this name, such as a method or an error, then by their rank. */
export function sectionsFor(index, text) {
  const found = index.search(text)
  const isNamed = ({ title }) => title === text
  return [...found.filter(isNamed), ...found.filter((section) => !isNamed(section))]
}

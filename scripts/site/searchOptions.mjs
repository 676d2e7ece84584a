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
    boostDocument: (id) =>
      /^[A-Z]|^contributing\/|^decisions\.|^test\/|errors\.html#/.test(id) ? 0.1 : id.startsWith("reference/") ? 0.2 : 1,
  },
}

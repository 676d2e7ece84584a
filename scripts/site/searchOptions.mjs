/** How sections are indexed and found. The build and the browser use the same options. */
export const searchOptions = {
  fields: ["title", "page", "text"],
  storeFields: ["title", "page"],
  searchOptions: {
    prefix: true,
    combineWith: "AND",
    boost: { title: 4, page: 2 },
    fuzzy: (word) => (word.length > 4 ? 0.15 : 0),
    // Guides come before single errors, and before the pages for those who change Serac, whose names are in capitals.
    boostDocument: (id) => (/^[A-Z]|errors\.html#/.test(id) ? 0.4 : 1),
  },
}

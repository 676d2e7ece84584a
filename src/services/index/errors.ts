import { refusals } from "../../core/lib/invalid.js"

/** Errors of the methods of `index`. */
export const indexError = refusals({
  "index.no_container": {
    sentence: "no accepted block has this index",
    avalanchegoMessage: ({ index }) => `no container at index ${index}`,
  },
  "index.unknown_container": { sentence: "no accepted block has this ID", avalanchegoMessage: "not found" },
  "index.none_accepted": {
    sentence: "no block was accepted after genesis",
    avalanchegoMessage: "no containers have been accepted",
  },
  "index.bad_count": {
    sentence: "the number of blocks to fetch is from 1 to 1024",
    avalanchegoMessage: ({ numToFetch }) => `numToFetch must be in [1,1024] but is ${numToFetch}`,
  },
  "index.start_too_high": {
    sentence: "the first index is above that of the last accepted block",
    avalanchegoMessage: ({ startIndex, last }) => `start index (${startIndex}) > last accepted index (${last})`,
  },
})

import { refusals } from "../core/lib/invalid.js"

/** Why a file is not read. */
export const filesError = refusals({
  "files.too_large": "the file, or what its gzip unpacks to, is larger than may be read",
})

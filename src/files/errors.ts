import { refusals } from "../core/lib/invalid.js"

export const filesError = refusals({
  "files.too_large": "the file, or its content after gunzip, is larger than the limit",
})

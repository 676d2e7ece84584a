import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../sources.js"

/** A query of docs/sql.md. */
export interface SqlExample {
  readonly title: string
  readonly query: string
}

/** The example queries of docs/sql.md, each below its title. A test runs each of them. */
export const sqlExamples: readonly SqlExample[] = [
  ...readFileSync(join(root, "docs/sql.md"), "utf8").matchAll(/^### (.*)\n\n```sql\n([\s\S]*?)\n```$/gm),
].map(([, title, query]) => ({ title: title as string, query: query as string }))

import { expect, test } from "vitest"
import { toHex } from "../../core/lib/bytes.js"
import type { ID } from "../../core/types/id.js"
import { AliasReader } from "../proto/aliasreader_pb.js"
import { clientOf } from "../served.fixture.js"
import { aliasService } from "./aliases.js"

const chainID = "22".repeat(32) as ID
const id = Buffer.from(chainID, "hex")

test("chains are found by their names, and names by their chains", async () => {
  const names = {
    chainOf: (alias: string) => (alias === "mine" ? chainID : undefined),
    aliasesOf: (of: ID) => (of === chainID ? ["mine"] : []),
  }
  const client = await clientOf(aliasService(names))
  expect(toHex((await client.call(AliasReader.method.lookup, { alias: "mine" })).id)).toBe(chainID)
  expect(await client.call(AliasReader.method.primaryAlias, { id })).toMatchObject({ alias: "mine" })
  expect(await client.call(AliasReader.method.aliases, { id })).toMatchObject({ aliases: ["mine"] })
  await expect(client.call(AliasReader.method.lookup, { alias: "other" })).rejects.toMatchObject({
    status: 2,
    message: "there is no ID with alias: other",
  })
  await expect(client.call(AliasReader.method.primaryAlias, { id: Buffer.alloc(32) })).rejects.toMatchObject({ status: 2 })
})

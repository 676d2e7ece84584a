import { Cached } from "../data/cached.js"
import { type DecodedBytes, decode, isObject, type JsonObject } from "../data/decoded.js"
import { platform } from "../data/rpc.js"
import { Rows } from "../parts/Rows.js"
import { Amount, IdLink, Time } from "../parts/values.js"

/** Number of UTXOs that are shown first, and that each click adds. */
const PAGE = 20

/** The place of the last UTXO of a page. */
type EndIndex = { readonly address: string; readonly utxo: string }

const decoded = new Cached<DecodedBytes>(4096)

async function askUtxos(address: string, limit: number, startIndex: EndIndex | undefined) {
  const params = { addresses: [address], limit, startIndex }
  const { utxos, endIndex } = await platform("getUTXOs", params)
  const rows = await Promise.all(utxos.map((hex) => decoded.of(hex, () => decode(hex, "UTXO"))))
  // A page also ends after 4 MiB, so only an empty one is behind the last.
  return { rows: rows.map(({ value }) => value), cursor: utxos.length === 0 ? null : endIndex }
}

/** The unspent outputs of an address with their locks. */
export function Utxos({ address }: { readonly address: string }) {
  const ask = (limit: number, startIndex: EndIndex | undefined) => askUtxos(address, limit, startIndex)
  return (
    <section>
      <h2 title="Unspent outputs: the pieces that a balance is made of">UTXOs</h2>
      <Rows name={`utxos ${address}`} step={PAGE} ask={ask} none="None.">
        {(utxo) => <Utxo key={`${utxo.txID} ${utxo.outputIndex}`} utxo={utxo} />}
      </Rows>
    </section>
  )
}

function Utxo({ utxo }: { readonly utxo: JsonObject }) {
  const outer = isObject(utxo.output) ? utxo.output : {}
  const inner = isObject(outer.output) ? outer.output : outer
  const locktime = Number((isObject(outer.output) ? outer.locktime : inner.locktime) ?? 0)
  return (
    <li>
      <Amount nanos={String(inner.amount ?? 0)} />
      <span class="quiet">
        output {String(utxo.outputIndex)} of <IdLink view="tx" id={String(utxo.txID)} />
      </span>
      {locktime > 0 && (
        <span class="tag">
          {isObject(outer.output) ? "to stake only until" : "locked until"} <Time at={locktime} />
        </span>
      )}
    </li>
  )
}

import { useState } from "preact/hooks"
import { decode, isObject, type JsonObject } from "../data/decoded.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { More } from "../parts/More.js"
import { Answer } from "../parts/states.js"
import { Amount, IdLink, Time } from "../parts/values.js"

/** Number of UTXOs that are shown first, and that each click adds. */
const PAGE = 20

async function askUtxos(address: string, limit: number) {
  const { utxos } = await platform<{ utxos: string[] }>("getUTXOs", { addresses: [address], limit: limit + 1 })
  const decoded = await Promise.all(utxos.slice(0, limit).map((hex) => decode(hex, "UTXO")))
  return { rows: decoded.map(({ value }) => value), hasMore: utxos.length > limit }
}

/** The unspent outputs of an address with their locks. */
export function Utxos({ address }: { readonly address: string }) {
  const [limit, setLimit] = useState(PAGE)
  const query = useQuery(`utxos ${address} ${limit}`, () => askUtxos(address, limit))
  return (
    <section>
      <h2 title="Unspent outputs: the pieces that a balance is made of">UTXOs</h2>
      <Answer query={query}>
        {({ rows, hasMore }) => (
          <>
            <ol class="list">
              {rows.map((utxo) => (
                <Utxo key={`${utxo.txID} ${utxo.outputIndex}`} utxo={utxo} />
              ))}
              {rows.length === 0 && <li class="quiet">None.</li>}
            </ol>
            {hasMore && <More onClick={() => setLimit(limit + PAGE)} />}
          </>
        )}
      </Answer>
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

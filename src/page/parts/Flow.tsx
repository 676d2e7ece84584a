import { type JsonObject, listOf } from "../data/decoded.js"
import { flowOf, type Source, type Target } from "../data/flow.js"
import { shortened } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import { useQuery } from "../data/useQuery.js"
import { Amount, IdLink } from "./values.js"

const [WIDTH, ROW, GAP] = [900, 46, 10]

/** Flow of the AVAX of a transaction from inputs to outputs, as ribbons that are as thick as the amounts. */
export function Flow({ txID, tx, fee }: { readonly txID: string; readonly tx: JsonObject; readonly fee: bigint }) {
  const { data } = useQuery(`flow ${txID}`, () => flowOf(tx, fee), { live: false })
  if (!data) return <section class="sheet" style={{ minHeight: `${heightOf(tx, fee)}px` }} />
  if (data.sources.length + data.targets.length === 0) return null
  const { sources, targets, left, signers } = data
  const rows = Math.max(sources.length, targets.length)
  return (
    <section class="sheet" aria-label="Inputs and outputs">
      <h2>Inputs and outputs</h2>
      <div class="flow" style={{ minHeight: `${rows * (ROW + GAP)}px` }}>
        <ol class="ends" aria-label="Inputs">
          {sources.map((each) => (
            <End key={each.key} end={each} />
          ))}
        </ol>
        <Ribbons sources={sources} targets={targets} />
        <ol class="ends" aria-label="Outputs and fee">
          {targets.map((each) => (
            <End key={each.key} end={each} />
          ))}
        </ol>
      </div>
      {signers.length > 0 && (
        <p>
          Signed by{" "}
          {signers.map((signer) => (
            <IdLink key={signer} view="address" id={signer} />
          ))}
        </p>
      )}
      {left > 0 && <p class="quiet">{left} more are listed among the fields below.</p>}
    </section>
  )
}

/** The pixels that the diagram will take: its heading, its rows and the signers. */
function heightOf(tx: JsonObject, fee: bigint): number {
  const inputs = listOf(tx.inputs).length + listOf(tx.importedInputs).length
  const outputs = listOf(tx.outputs).length + listOf(tx.stake).length + listOf(tx.exportedOutputs).length + (fee > 0n ? 1 : 0)
  return inputs + outputs === 0 ? 0 : Math.min(13, Math.max(inputs, outputs)) * (ROW + GAP) + 106
}

function End({ end }: { readonly end: Source | Target }) {
  return (
    <li class="flow-end">
      <span>
        <Amount nanos={end.amount} /> <span class="quiet">{end.label}</span>
      </span>
      <span class="quiet">
        {end.owners.length === 0
          ? end.note
          : end.owners.map((owner) => (
              <a key={owner} href={hrefOf("address", owner)} title={owner}>
                {shortened(owner, 12, 6)}
              </a>
            ))}
        {end.from !== undefined && (
          <>
            {" from "}
            <a href={hrefOf("tx", end.from)} title={end.from}>
              {shortened(end.from, 5, 4)}
            </a>
          </>
        )}
      </span>
    </li>
  )
}

/** Each side is stacked by amount; a ribbon joins the whole of one side with the whole of the other. */
function Ribbons({ sources, targets }: { readonly sources: readonly Source[]; readonly targets: readonly Target[] }) {
  const height = Math.max(sources.length, targets.length) * (ROW + GAP)
  const all = [...sources, ...targets].map(({ amount }) => Number(amount))
  // The largest end fits into its row, and all of a side fit into the middle.
  const scale = Math.min((ROW - 10) / (Math.max(...all) || 1), height / (totalOf(sources) || 1), height / (totalOf(targets) || 1))
  const paths = [...halves(sources, height, scale, "left"), ...halves(targets, height, scale, "right")]
  return (
    <svg
      class="ribbons"
      style={{ height: `${height}px` }}
      viewBox={`0 0 ${WIDTH / 6} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {paths.map(({ d, isFee }) => (
        <path key={d} d={d} class={isFee ? "fee" : ""} />
      ))}
    </svg>
  )
}

interface Ribbon {
  readonly d: string
  readonly isFee: boolean
}

const totalOf = (ends: readonly (Source | Target)[]): number => Number(ends.reduce((sum, { amount }) => sum + amount, 0n))

/** Curves from the middle, where all amounts lie one below the other, to the rows of one side. `scale` is in pixels per nAVAX. */
function halves(ends: readonly (Source | Target)[], height: number, scale: number, side: "left" | "right"): Ribbon[] {
  const width = WIDTH / 6
  const [outer, middle] = side === "left" ? [0, width / 2] : [width, width / 2]
  const bend = (outer + middle) / 2
  let at = (height - totalOf(ends) * scale) / 2
  return ends.map(({ amount, isFee }, i) => {
    const thick = Math.max(1.5, Number(amount) * scale)
    const row = i * (ROW + GAP) + ROW / 2
    const half = thick / 2
    const [top, bottom] = [at, at + thick]
    at = bottom
    const d = `M${outer},${row - half} C${bend},${row - half} ${bend},${top} ${middle},${top} L${middle},${bottom} C${bend},${bottom} ${bend},${row + half} ${outer},${row + half} Z`
    return { d, isFee: isFee === true }
  })
}

import type { JsonObject } from "../data/decoded.js"
import { type End, flowOf, type TxAmounts } from "../data/flow.js"
import { grouped, shortened } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import { Amount, IdLink } from "./values.js"

const [WIDTH, ROW, GAP] = [900, 46, 10]

/** Flow of the AVAX of a transaction from inputs to outputs, as ribbons that are as thick as the amounts. */
export function Flow(props: { readonly tx: JsonObject; readonly amounts: TxAmounts; readonly avaxAssetID: string }) {
  const { sources, targets, signers } = flowOf(props.tx, props.amounts, props.avaxAssetID)
  if (sources.length + targets.length === 0) return null
  const rows = Math.max(sources.length, targets.length)
  return (
    <section class="sheet" aria-label="Inputs and outputs">
      <h2>{sources.length === 0 ? "Outputs" : "Inputs and outputs"}</h2>
      <div class={sources.length === 0 ? "flow outputs-only" : "flow"} style={{ minHeight: `${rows * (ROW + GAP)}px` }}>
        {sources.length > 0 && (
          <>
            <ol class="ends" aria-label="Inputs">
              <Side name="Inputs" />
              {sources.map((each) => (
                <EndRow key={each.key} end={each} />
              ))}
            </ol>
            <Ribbons sources={sources} targets={targets} />
          </>
        )}
        <ol class="ends" aria-label="Outputs and fee">
          {sources.length > 0 && <Side name="Outputs and fee" />}
          {targets.map((each) => (
            <EndRow key={each.key} end={each} />
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
    </section>
  )
}

/** The name of a side, for narrow screens where one side is below the other and there are no ribbons. */
function Side({ name }: { readonly name: string }) {
  return (
    <li class="narrow-only quiet" aria-hidden="true">
      {name}
    </li>
  )
}

function EndRow({ end }: { readonly end: End }) {
  const { owners = [] } = end
  return (
    <li class="flow-end">
      <span>
        {end.assetID === undefined ? <Amount nanos={end.amount} exact /> : grouped(end.amount)}{" "}
        <span class="quiet">
          {end.assetID !== undefined && <span title={end.assetID}>of asset {shortened(end.assetID, 5, 4)} </span>}
          {end.label}
        </span>
      </span>
      <span class="quiet">
        {end.validationID !== undefined && <IdLink view="l1validator" id={end.validationID} />}
        {owners.length === 0
          ? end.note
          : owners.map((owner) => (
              <a key={owner} href={hrefOf("address", owner)} title={owner}>
                {shortened(owner, 12, 6)}
              </a>
            ))}
        <TxOf word="from" txID={end.from} />
        <TxOf word="spent by" txID={end.spentBy} />
      </span>
    </li>
  )
}

/** The transaction at the other end of an input or output. */
function TxOf({ word, txID }: { readonly word: string; readonly txID: string | undefined }) {
  if (txID === undefined) return null
  if (/^1{32}/.test(txID)) return <> {word} genesis</>
  return (
    <>
      {` ${word} `}
      <a href={hrefOf("tx", txID)} title={txID}>
        {shortened(txID, 5, 4)}
      </a>
    </>
  )
}

/** Each side is stacked by amount. A ribbon joins the whole of one side with the whole of the other. */
function Ribbons({ sources, targets }: { readonly sources: readonly End[]; readonly targets: readonly End[] }) {
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

const totalOf = (ends: readonly End[]): number => Number(ends.reduce((sum, { amount }) => sum + amount, 0n))

/** Curves from the middle, where all amounts are one below the other, to the rows of one side. `scale` is in pixels per nAVAX. */
function halves(ends: readonly End[], height: number, scale: number, side: "left" | "right"): Ribbon[] {
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

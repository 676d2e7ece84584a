import { txKind } from "../data/kinds.js"
import { IdLink } from "./values.js"

/** Properties of `TxLabel`. */
interface TxLabelProps {
  readonly txID: string
  readonly kind: string
  /** The status, which is shown if it is not `Committed`. */
  readonly status?: string
}

/** A transaction in a list: a link to it, its kind, and its status if it was not committed. */
export function TxLabel({ txID, kind, status = "Committed" }: TxLabelProps) {
  const { name, does } = txKind(kind)
  return (
    <>
      <IdLink view="tx" id={txID} />
      <span class="tag" title={does}>
        {name}
      </span>
      {status !== "Committed" && <span class="tag bad">{status}</span>}
    </>
  )
}

import { decode, isObject, type JsonObject, listOf } from "../data/decoded.js"
import type { TxAmounts } from "../data/flow.js"
import { grouped } from "../data/format.js"
import { txKind } from "../data/kinds.js"
import { hrefOf } from "../data/route.js"
import { platform, RpcError } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Bytes } from "../parts/Bytes.js"
import { Flow } from "../parts/Flow.js"
import { JsonTree } from "../parts/JsonTree.js"
import { Answer, Title } from "../parts/states.js"
import { Amount, Copy, Fact, Facts, Time } from "../parts/values.js"

interface TxInfo extends TxAmounts {
  readonly kind: string
  readonly status: string
  readonly blockID: string
  readonly height: string
  readonly timestamp: string
}

async function askTx(txID: string) {
  try {
    const [{ tx }, info] = await Promise.all([
      platform<{ tx: string }>("getTx", { txID }),
      platform<TxInfo>("getTxInfo", { txID }),
    ])
    return { info, decoded: await decode(tx) }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { status, reason } = await platform<{ status: string; reason?: string }>("getTxStatus", { txID })
    if (status === "Unknown") throw error
    return { waiting: { status, reason } }
  }
}

/** A transaction: its effect, its inputs and outputs, every field, and its bytes. */
export function TxView({ argument: txID }: { readonly argument: string }) {
  const query = useQuery(`tx ${txID}`, () => askTx(txID))
  return (
    <>
      <Title>Transaction</Title>
      <Answer query={query}>
        {({ info, decoded, waiting }) =>
          waiting ? (
            <p>
              <strong>{waiting.status}</strong> {waiting.reason ?? "It waits for a block."}
            </p>
          ) : (
            <>
              <Summary txID={txID} info={info} tx={unsignedOf(decoded.value)} signed={decoded.value} />
              <Flow tx={unsignedOf(decoded.value)} amounts={info} />
              <section class="sheet">
                <h2>Fields</h2>
                <JsonTree value={unsignedOf(decoded.value)} />
              </section>
              <Bytes decoded={decoded} />
            </>
          )
        }
      </Answer>
    </>
  )
}

const unsignedOf = (value: JsonObject): JsonObject => (isObject(value.unsignedTx) ? value.unsignedTx : value)

function Summary(props: { readonly txID: string; readonly info: TxInfo; readonly tx: JsonObject; readonly signed: JsonObject }) {
  const { txID, info, tx, signed } = props
  const { name, does } = txKind(info.kind)
  const signatures = listOf(signed.credentials).reduce<number>(
    (sum, each) => sum + (isObject(each) ? listOf(each.signatures).length : 0),
    0,
  )
  const nodeID = isObject(tx.validator) ? tx.validator.nodeID : tx.nodeID
  return (
    <section class="sheet">
      <p class="lead">
        <span class="tag">{name}</span> {does && `${does[0]?.toUpperCase()}${does.slice(1)}.`}
      </p>
      <Facts>
        <Fact name="ID">
          <code>{txID}</code> <Copy text={txID} />
        </Fact>
        <Fact name="Kind">{info.kind}</Fact>
        <Fact name="Status">
          <span class={info.status === "Committed" ? "good" : "bad"}>{info.status}</span>
        </Fact>
        <Fact name="Block">
          <a href={hrefOf("block", info.height)}>{grouped(info.height)}</a>
        </Fact>
        <Fact name="Time">
          <Time at={info.timestamp} both />
        </Fact>
        <Fact name="Fee" hint="What was burned">
          <Amount nanos={info.fee} />
        </Fact>
        <Fact name="Signatures">{signatures === 0 ? "none: the chain itself made it" : grouped(signatures)}</Fact>
        {nodeID !== undefined && (
          <Fact name="Validator">
            <a href={hrefOf("validator", String(nodeID))}>{String(nodeID)}</a>
          </Fact>
        )}
      </Facts>
    </section>
  )
}

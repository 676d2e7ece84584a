import { decode, isObject, type JsonObject, listOf } from "../data/decoded.js"
import { grouped, visibleText } from "../data/format.js"
import { txKind } from "../data/kinds.js"
import { readableObject } from "../data/readable.js"
import { hrefOf } from "../data/route.js"
import { platform, type ResultOf, RpcError } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Bytes } from "../parts/Bytes.js"
import { Flow } from "../parts/Flow.js"
import { JsonTree } from "../parts/JsonTree.js"
import { Answer, sentence, Title } from "../parts/states.js"
import { Amount, Copy, Fact, Facts, IdLink, Time } from "../parts/values.js"

type TxInfo = ResultOf<"getTxInfo">

async function askTx(txID: string) {
  try {
    const [{ tx }, info, { assetID }] = await Promise.all([
      platform("getTx", { txID }),
      platform("getTxInfo", { txID }),
      platform("getStakingAssetID"),
    ])
    const decoded = await decode(tx)
    return { info, assetID, decoded, fields: await readableObject(unsignedOf(decoded.value)) }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { status, reason } = await platform("getTxStatus", { txID })
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
        {({ info, decoded, assetID, fields, waiting }) =>
          waiting ? (
            <p>
              <strong>{waiting.status}</strong> {waiting.reason ?? "It waits for a block."}
            </p>
          ) : (
            <>
              <Summary txID={txID} info={info} signed={decoded.value} />
              <Flow tx={fields} amounts={info} avaxAssetID={assetID} />
              <section class="sheet">
                <h2>Fields</h2>
                <JsonTree value={fields} />
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

function Summary({ txID, info, signed }: { readonly txID: string; readonly info: TxInfo; readonly signed: JsonObject }) {
  const { name, does } = txKind(info.kind)
  const signatures = listOf(signed.credentials).reduce<number>(
    (sum, each) => sum + (isObject(each) ? listOf(each.signatures).length : 0),
    0,
  )
  return (
    <section class="sheet">
      <p class="lead">
        <span class="tag">{name}</span> {does && `${sentence(does)}.`}
      </p>
      {info.effect !== "" && <p>{sentence(visibleText(info.effect))}.</p>}
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
        {info.staker && (
          <Fact name="Validator">
            <IdLink view="validator" id={info.staker.nodeID} whole />
          </Fact>
        )}
        {info.staker && info.staker.txID !== txID && (
          <Fact name="Stake">
            <IdLink view="tx" id={info.staker.txID} whole />
          </Fact>
        )}
        {info.l1Validators.map((each) => (
          <Fact key={each.validationID} name="L1 validator">
            <IdLink view="l1validator" id={each.validationID} whole />
            {each.nodeID} {each.weight !== undefined && <span class="tag">weight {grouped(each.weight)}</span>}
          </Fact>
        ))}
      </Facts>
    </section>
  )
}

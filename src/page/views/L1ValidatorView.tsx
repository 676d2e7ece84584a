import { durationText, grouped, secondsOf } from "../data/format.js"
import { network } from "../data/network.js"
import { hrefOf } from "../data/route.js"
import { platform, type ResultOf } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Answer, Title } from "../parts/states.js"
import { Amount, Copy, Fact, Facts, IdLink, Owners, Time } from "../parts/values.js"

type L1Validator = ResultOf<"getL1Validator">
type L1Event = ResultOf<"getL1ValidatorHistory">["events"][number]

async function ask(validationID: string) {
  // A validator that was removed has a history only, and a node that keeps no history knows the present ones.
  const past = platform("getL1ValidatorHistory", { validationID })
  const present = platform("getL1Validator", { validationID })
  const [history, validator, { price }, { timestamp }] = await Promise.all([
    past.catch(async () => ({ ...(await present), events: [] })),
    present.catch(() => undefined),
    platform("getValidatorFeeState"),
    platform("getTimestamp"),
  ])
  const seconds = Number(BigInt(validator?.balance ?? 0) / (BigInt(price) || 1n))
  return { history, validator, seconds, price, now: secondsOf(timestamp) }
}

type Answered = Awaited<ReturnType<typeof ask>>

/** A validator of an L1, present or former, by its validation ID. */
export function L1ValidatorView({ argument: validationID }: { readonly argument: string }) {
  const query = useQuery(`l1 ${validationID}`, () => ask(validationID))
  const { hasLab } = network.use()
  return (
    <>
      <Title>L1 validator</Title>
      <p>
        <code>{validationID}</code> <Copy text={validationID} />
      </p>
      <Answer query={query}>
        {(answered) => (
          <>
            <State {...answered} />
            {hasLab && answered.validator && <Actions validationID={validationID} />}
            <Events events={answered.history.events} />
          </>
        )}
      </Answer>
    </>
  )
}

function State({ history, validator, seconds, price, now }: Answered) {
  return (
    <section class="sheet" aria-label="State">
      <Facts>
        <Fact name="State">
          {validator === undefined ? (
            <span class="bad">removed</span>
          ) : seconds === 0 ? (
            <span class="bad">inactive: it has no balance to pay from</span>
          ) : (
            <span class="good">active</span>
          )}
        </Fact>
        <Fact name="L1">
          <IdLink view="subnet" id={history.subnetID} whole />
        </Fact>
        <Fact name="Node">
          <IdLink view="validator" id={history.nodeID} whole />
        </Fact>
        {seconds > 0 && (
          <Fact name="Runs out" hint={`At the present fee of ${grouped(price)} nAVAX for a second`}>
            in {durationText(seconds)} at the present fee: <Time at={now + seconds} />
          </Fact>
        )}
        {validator && <Present validator={validator} />}
      </Facts>
    </section>
  )
}

function Present({ validator }: { readonly validator: L1Validator }) {
  const { weight, balance, startTime, minNonce, publicKey, remainingBalanceOwner, deactivationOwner } = validator
  return (
    <>
      <Fact name="Weight">{grouped(weight)}</Fact>
      <Fact name="Balance">
        <Amount nanos={balance} exact />
      </Fact>
      <Fact name="Since">
        <Time at={startTime} both />
      </Fact>
      <Fact name="Balance returns to">
        <Owners owner={remainingBalanceOwner} />
      </Fact>
      <Fact name="Can be disabled by">
        <Owners owner={deactivationOwner} />
      </Fact>
      <Fact name="Next nonce" hint="The smallest nonce that the next message about the weight may have">
        {grouped(minNonce)}
      </Fact>
      <Fact name="BLS public key">
        <code>{publicKey}</code> <Copy text={publicKey} />
      </Fact>
    </>
  )
}

/** What the Lab can do with the validator. */
function Actions({ validationID }: { readonly validationID: string }) {
  const actions = { increaseL1Balance: "Top up", setL1Weight: "Set its weight", disableL1Validator: "Disable it" }
  return (
    <p class="steps-row" title="In the Lab">
      {Object.entries(actions).map(([method, text]) => (
        <a key={method} class="button" href={hrefOf("lab", `${method}?validationID=${validationID}`)}>
          {text}
        </a>
      ))}
    </p>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  registered: "Registered",
  increased: "Topped up",
  weightSet: "Weight set",
  removed: "Removed",
  disabled: "Disabled",
  ranOut: "Ran out of balance",
}

function Events({ events }: { readonly events: readonly L1Event[] }) {
  return (
    <section class="sheet" aria-label="History">
      <h2>History</h2>
      <ol class="list">
        {events.map(({ event, txID, timestamp, weight, nonce, added, refund }) => (
          <li key={`${event} ${txID} ${timestamp}`}>
            <span class="kind">{WORDS[event] ?? event}</span>
            {weight !== undefined && <span>weight {grouped(weight)}</span>}
            {nonce !== undefined && <span class="quiet">nonce {grouped(nonce)}</span>}
            {added !== undefined && (
              <span>
                +<Amount nanos={added} />
              </span>
            )}
            {refund !== undefined && (
              <span>
                <Amount nanos={refund} /> returned
              </span>
            )}
            {txID !== undefined && <IdLink view="tx" id={txID} />}
            <span class="quiet end">
              <Time at={timestamp} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

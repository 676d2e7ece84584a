import type { L1Change } from "../data/flow.js"
import { durationText, grouped, secondsOf } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { askValidators, type Validator } from "../data/validators.js"
import { EndedStakes } from "../parts/EndedStakes.js"
import { Answer, isRefused, Title } from "../parts/states.js"
import { Table } from "../parts/Table.js"
import { Amount, Copy, Fact, Facts, IdLink, Owners, Time } from "../parts/values.js"

async function askOne(nodeID: string) {
  const [[validator], { timestamp }, l1s] = await Promise.all([
    askValidators({ nodeIDs: [nodeID] }),
    platform("getTimestamp"),
    // A node that keeps no history does not know them.
    askL1Validations(nodeID).catch((): readonly L1Change[] => []),
  ])
  return { validator, now: secondsOf(timestamp), l1s }
}

/** The kinds of transactions that make a node a validator of an L1. */
const L1_KINDS = ["ConvertSubnetToL1Tx", "RegisterL1ValidatorTx"] as const

/** Returns the validations of L1s, present and former, of a node: the latest ones. */
async function askL1Validations(nodeID: string): Promise<readonly L1Change[]> {
  const { txs } = await platform("getTxs", { nodeID, kinds: L1_KINDS, limit: 20 })
  const infos = await Promise.all(txs.map(({ txID }) => platform("getTxInfo", { txID })))
  return infos.flatMap(({ l1Validators }) => l1Validators.filter((each) => each.nodeID === nodeID))
}

/** One validator of the primary network with its delegators. */
export function ValidatorView({ argument: nodeID }: { readonly argument: string }) {
  const query = useQuery(`validator ${nodeID}`, () => askOne(nodeID))
  return (
    <>
      <Title>Validator</Title>
      <p>
        <code>{nodeID}</code> <Copy text={nodeID} /> <a href={hrefOf("spellings", nodeID)}>Other spellings</a>
      </p>
      <Answer query={query}>
        {({ validator, now, l1s }) => (
          <>
            {validator ? (
              <Details validator={validator} now={now} />
            ) : (
              <p>This node does not validate the primary network now.</p>
            )}
            {l1s.length > 0 && <L1Validations l1s={l1s} />}
          </>
        )}
      </Answer>
      {!isRefused(query) && <EndedStakes nodeID={nodeID} />}
    </>
  )
}

function Details({ validator, now }: { readonly validator: Validator; readonly now: number }) {
  const { weight, startTime, endTime, potentialReward, delegationFee, uptime, validationRewardOwner, txID } = validator
  return (
    <>
      <section class="sheet">
        <Facts>
          <Fact name="Stake">
            <Amount nanos={weight} exact />
          </Fact>
          <Fact name="Since">
            <Time at={startTime} both />
          </Fact>
          {endTime !== undefined && (
            <Fact name="Until">
              <Time at={endTime} both /> <span class="tag">{durationText(secondsOf(endTime) - now)} left</span>
            </Fact>
          )}
          {potentialReward !== undefined && (
            <Fact
              name="Reward due"
              hint="Paid at the end if the validator was online for long enough: 90 % of the time, 80 % before Helicon"
            >
              <Amount nanos={potentialReward} exact />
            </Fact>
          )}
          {validationRewardOwner !== undefined && (
            <Fact name="Reward goes to">
              <Owners owner={validationRewardOwner} />
            </Fact>
          )}
          {delegationFee !== undefined && <Fact name="Fee for delegators">{Number(delegationFee)} %</Fact>}
          {uptime !== undefined && <Fact name="Uptime">{Number(uptime)} %</Fact>}
          <Renewal validator={validator} />
          {txID !== undefined && (
            <Fact name="Made by">
              <IdLink view="tx" id={txID} whole />
            </Fact>
          )}
        </Facts>
      </section>
      <Delegators validator={validator} now={now} />
    </>
  )
}

function L1Validations({ l1s }: { readonly l1s: readonly L1Change[] }) {
  return (
    <section class="sheet" aria-label="L1s">
      <h2>L1s that it validates or validated</h2>
      <ol class="list">
        {l1s.map(({ validationID, subnetID = "" }) => (
          <li key={validationID}>
            <IdLink view="l1validator" id={validationID} /> <span class="quiet">of L1</span>{" "}
            <IdLink view="subnet" id={subnetID} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** What happens to an auto-renewed validator at the end of its cycle. */
function Renewal({ validator }: { readonly validator: Validator }) {
  const { nextPeriod, autoCompoundRewardShares = "0", startTime, endTime, validatorAuthority } = validator
  const { restakedValidationRewards = "0", restakedDelegateeRewards = "0" } = validator
  if (nextPeriod === undefined) return null
  const isLeaving = nextPeriod === "0"
  return (
    <>
      <Fact name="Auto-renewed" hint="It goes on after each cycle until it is told to leave, or its uptime is too low">
        {isLeaving ? (
          <span class="bad">leaves at the end of this cycle</span>
        ) : (
          `the next cycle begins at the end of this one and takes ${durationText(Number(nextPeriod))}`
        )}
      </Fact>
      <Fact name="This cycle">{durationText(secondsOf(endTime ?? startTime) - secondsOf(startTime))}</Fact>
      <Fact name="Restakes" hint="The rest of each cycle's rewards is paid out">
        {Number(autoCompoundRewardShares) / 10_000} % of its rewards
      </Fact>
      <Fact name="Restaked so far" hint="Part of the stake above; paid out when the validator leaves">
        <Amount nanos={restakedValidationRewards} exact /> of its own rewards, <Amount nanos={restakedDelegateeRewards} exact />{" "}
        of its shares of delegators' rewards
      </Fact>
      <Fact name="Configured by">
        <Owners owner={validatorAuthority} />
      </Fact>
    </>
  )
}

function Delegators({ validator, now }: { readonly validator: Validator; readonly now: number }) {
  const delegators = validator.delegators ?? []
  return (
    <section class="sheet">
      <h2>Delegators ({grouped(delegators.length)})</h2>
      {delegators.length === 0 ? (
        <p class="quiet">None.</p>
      ) : (
        <Table
          label="Delegators"
          rows={delegators}
          keyOf={(row) => row.txID}
          columns={[
            { name: "Transaction", cell: (row) => <IdLink view="tx" id={row.txID} /> },
            { name: "Stake", isNumber: true, sortBy: (row) => BigInt(row.weight), cell: (row) => <Amount nanos={row.weight} /> },
            {
              name: "Reward due",
              isNumber: true,
              sortBy: (row) => BigInt(row.potentialReward),
              cell: (row) => <Amount nanos={row.potentialReward} />,
            },
            {
              name: "Time left",
              isNumber: true,
              sortBy: (row) => secondsOf(row.endTime),
              cell: (row) => durationText(secondsOf(row.endTime) - now),
            },
          ]}
        />
      )}
    </section>
  )
}

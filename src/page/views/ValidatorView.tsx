import { durationText, grouped, secondsOf } from "../data/format.js"
import { hrefOf } from "../data/route.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { askValidators, type Validator } from "../data/validators.js"
import { EndedStakes } from "../parts/EndedStakes.js"
import { Answer, Title } from "../parts/states.js"
import { Table } from "../parts/Table.js"
import { Amount, Copy, Fact, Facts, IdLink, Time } from "../parts/values.js"

async function askOne(nodeID: string) {
  const [[validator], { timestamp }] = await Promise.all([
    askValidators({ nodeIDs: [nodeID] }),
    platform<{ timestamp: string }>("getTimestamp"),
  ])
  return { validator, now: secondsOf(timestamp) }
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
        {({ validator, now }) =>
          validator ? <Details validator={validator} now={now} /> : <p>This node does not validate the primary network now.</p>
        }
      </Answer>
      <EndedStakes nodeID={nodeID} />
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
            <Amount nanos={weight} />
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
              <Amount nanos={potentialReward} />
            </Fact>
          )}
          {validationRewardOwner !== undefined && (
            <Fact name="Reward goes to">
              {validationRewardOwner.addresses.map((address) => (
                <IdLink key={address} view="address" id={address} whole />
              ))}
            </Fact>
          )}
          {delegationFee !== undefined && <Fact name="Fee for delegators">{Number(delegationFee)} %</Fact>}
          {uptime !== undefined && <Fact name="Uptime">{Number(uptime)} %</Fact>}
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

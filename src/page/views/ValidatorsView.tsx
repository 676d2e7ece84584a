import { useState } from "preact/hooks"
import { durationText, grouped, secondsOf, shortened } from "../data/format.js"
import { platform } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { askValidators, type Validator } from "../data/validators.js"
import { EndedStakes } from "../parts/EndedStakes.js"
import { Answer, Title } from "../parts/states.js"
import { type Column, Table } from "../parts/Table.js"
import { Amount, IdLink } from "../parts/values.js"

/** Milliseconds between two questions for all validators: with 1,500 of them an answer has more than a megabyte. */
const PAUSE = 3000

/** The pixels that the list takes on most screens. */
const FIRST_HEIGHT = 800

async function askAll() {
  const [validators, { timestamp }] = await Promise.all([askValidators(), platform("getTimestamp")])
  return { validators, now: secondsOf(timestamp) }
}

/** The validators of the primary network with their stakes and ends, and the rewards that were paid. */
export function ValidatorsView() {
  const query = useQuery("validators", askAll, { pause: PAUSE })
  const [filter, setFilter] = useState("")
  return (
    <>
      <Title>Validators</Title>
      <p>Validators stake AVAX for a time. If they were online, they get the stake back with a reward at its end.</p>
      <Answer query={query} height={FIRST_HEIGHT}>
        {({ validators, now }) => (
          <>
            <label class="filter">
              Find a node{" "}
              <input
                type="search"
                value={filter}
                placeholder="NodeID-…"
                onInput={(event) => setFilter(event.currentTarget.value)}
              />
            </label>
            <List validators={validators.filter(({ nodeID }) => nodeID.includes(filter.trim()))} now={now} />
          </>
        )}
      </Answer>
      <EndedStakes />
    </>
  )
}

const endOf = ({ endTime }: Validator): number => (endTime === undefined ? 0 : secondsOf(endTime))

/** The columns of the list. `now`: the chain's time, Unix seconds. */
const columnsAt = (now: number): readonly Column<Validator>[] => [
  {
    name: "Node",
    sortBy: (row) => row.nodeID,
    cell: (row) => (
      <>
        <IdLink view="validator" id={row.nodeID} text={shortened(row.nodeID, 12, 4)} />
        {row.nextPeriod !== undefined && (
          <span
            class="tag"
            title={`Auto-renewed: ${row.nextPeriod === "0" ? "it leaves at the end of this cycle" : "it goes on after each cycle"}`}
          >
            {row.nextPeriod === "0" ? "leaving" : "auto"}
          </span>
        )}
      </>
    ),
  },
  {
    name: "Stake",
    hint: "In AVAX, without delegations",
    isNumber: true,
    sortBy: (row) => BigInt(row.weight),
    cell: (row) => <Amount nanos={row.weight} unit={false} />,
  },
  {
    name: "Delegated",
    hint: "What others staked with it, in AVAX, and how many they are",
    isNumber: true,
    sortBy: (row) => BigInt(row.delegatorWeight ?? 0),
    cell: (row) => (
      <>
        <Amount nanos={row.delegatorWeight ?? 0} unit={false} /> <span class="quiet">({grouped(row.delegatorCount ?? 0)})</span>
      </>
    ),
  },
  {
    name: "Reward due",
    hint: "What it gets at the end if it was online, in AVAX",
    isNumber: true,
    sortBy: (row) => BigInt(row.potentialReward ?? 0),
    cell: (row) => <Amount nanos={row.potentialReward ?? 0} unit={false} />,
  },
  {
    name: "Time left",
    isNumber: true,
    width: 110,
    sortBy: endOf,
    cell: (row) => (
      <span title={row.endTime && new Date(endOf(row) * 1000).toISOString()}>{durationText(endOf(row) - now, 1)}</span>
    ),
  },
  {
    name: "Fee",
    hint: "What it keeps of its delegators' rewards",
    isNumber: true,
    width: 80,
    sortBy: (row) => Number(row.delegationFee ?? 0),
    cell: (row) => (row.delegationFee === undefined ? "" : `${Number(row.delegationFee)} %`),
  },
  {
    name: "Uptime",
    hint: "As this node sees it",
    isNumber: true,
    width: 80,
    sortBy: (row) => Number(row.uptime ?? 0),
    cell: (row) => (row.uptime === undefined ? "" : `${Number(row.uptime)} %`),
  },
]

function List({ validators, now }: { readonly validators: readonly Validator[]; readonly now: number }) {
  return (
    <>
      <p class="quiet">{validators.length === 1 ? "1 validator" : `${grouped(validators.length)} validators`}, amounts in AVAX</p>
      <Table
        label="Validators"
        rows={validators}
        columns={columnsAt(now)}
        keyOf={(row) => row.txID ?? row.nodeID}
        sort={[4, false]}
      />
    </>
  )
}

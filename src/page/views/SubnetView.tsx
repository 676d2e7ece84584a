import { durationText, grouped, secondsOf, shortened, utcText, visibleText } from "../data/format.js"
import { type L1, l1sIfAny } from "../data/l1s.js"
import { network } from "../data/network.js"
import { hrefOf } from "../data/route.js"
import { platform, type ResultOf } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { askValidators, type Validator } from "../data/validators.js"
import { Answer, Title } from "../parts/states.js"
import { type Column, Table } from "../parts/Table.js"
import { Amount, Copy, Fact, Facts, IdLink, L1Node } from "../parts/values.js"
import { L1Health } from "./L1Health.js"
import { type Blockchain, PRIMARY } from "./SubnetsView.js"

type Subnet = ResultOf<"getSubnet">

async function askSubnet(subnetID: string) {
  const [subnet, { blockchains }, validators, fee, { timestamp }, { txs }] = await Promise.all([
    subnetID === PRIMARY ? undefined : platform("getSubnet", { subnetID }),
    platform("getBlockchains"),
    askValidators({ subnetID }),
    platform("getValidatorFeeState"),
    platform("getTimestamp"),
    // A node that keeps no history does not know it.
    platform("getTxs", { subnetID, kinds: ["ConvertSubnetToL1Tx"], limit: 1 }).catch(() => ({ txs: [] })),
  ])
  const chains = (blockchains ?? []).filter((chain) => chain.subnetID === subnetID)
  const hosted = (await l1sIfAny()).filter((l1) => l1.subnetID === subnetID)
  return { subnet, chains, hosted, validators, price: BigInt(fee.price), now: secondsOf(timestamp), conversionTxID: txs[0]?.txID }
}

/** A subnet or L1: who controls it, its blockchains, and its validators with the time when their balances run out. */
export function SubnetView({ argument: subnetID }: { readonly argument: string }) {
  const { hasLab } = network.use()
  const query = useQuery(`subnet ${subnetID} ${hasLab}`, () => askSubnet(subnetID), { pause: 2000 })
  return (
    <>
      <Title>{titleOf(subnetID, query.data)}</Title>
      <p>
        <code>{subnetID}</code> <Copy text={subnetID} />
      </p>
      <Answer query={query}>
        {({ subnet, chains, hosted, validators, price, now, conversionTxID }) => (
          <>
            {subnet && <Control subnet={subnet} conversionTxID={conversionTxID} />}
            {isL1(subnet) && <L1Health subnetID={subnetID} />}
            <Chains chains={chains} hosted={hosted} isPrimary={subnetID === PRIMARY} />
            <section class="sheet">
              <h2>Validators ({grouped(validators.length)})</h2>
              {validators.length > 0 && (
                <Table
                  label="Validators"
                  rows={validators}
                  columns={validators[0]?.validationID === undefined ? stakerColumns(now) : l1Columns(now, price)}
                  keyOf={(row) => row.validationID ?? row.txID ?? row.nodeID}
                />
              )}
            </section>
          </>
        )}
      </Answer>
    </>
  )
}

function titleOf(subnetID: string, found: Pick<Awaited<ReturnType<typeof askSubnet>>, "subnet" | "chains"> | undefined): string {
  if (subnetID === PRIMARY) return "Primary network"
  const names = (found?.chains ?? []).map(({ name }) => visibleText(name)).join(", ")
  return `${isL1(found?.subnet) ? "L1" : "Subnet"} ${names}`.trim()
}

/** True for a subnet that was converted. The empty ID means that it was not. */
const isL1 = (subnet: Subnet | undefined): boolean => subnet !== undefined && !/^1{32}/.test(subnet.conversionID)

function Control({ subnet, conversionTxID }: { readonly subnet: Subnet; readonly conversionTxID: string | undefined }) {
  const { isPermissioned, controlKeys, threshold, managerChainID, managerAddress = "" } = subnet
  const isManaged = isL1(subnet)
  return (
    <section class="sheet">
      <Facts>
        <Fact name="Kind">
          {isManaged
            ? "L1: a contract of its own decides about validators"
            : isPermissioned
              ? "Permissioned: its owner decides"
              : "Open to stakers"}
        </Fact>
        {(controlKeys ?? []).length > 0 && (
          <Fact name="Owner" hint="Who signs changes of the subnet">
            {threshold} of{" "}
            {controlKeys?.map((address) => (
              <IdLink key={address} view="address" id={address} />
            ))}
          </Fact>
        )}
        {conversionTxID !== undefined && (
          <Fact name="Converted by">
            <IdLink view="tx" id={conversionTxID} whole />
          </Fact>
        )}
        {isManaged && (
          <>
            <Fact name="Manager's chain">
              <IdLink view="tx" id={managerChainID} whole />
            </Fact>
            <Fact name="Manager's address" hint="The zero address means that there is none">
              {/^(0x0*)?$/.test(managerAddress ?? "") ? (
                <span class="quiet">none</span>
              ) : (
                <>
                  <code>{managerAddress}</code> <Copy text={managerAddress ?? ""} />
                </>
              )}
            </Fact>
          </>
        )}
      </Facts>
    </section>
  )
}

/** A blockchain has the ID of the transaction that made it; those of the primary network are in genesis. */
function Chains({
  chains,
  hosted,
  isPrimary,
}: {
  readonly chains: readonly Blockchain[]
  readonly hosted: readonly L1[]
  readonly isPrimary: boolean
}) {
  const nameOf = ({ id, name }: Blockchain) => {
    const l1 = hosted.find(({ chainID }) => chainID === id)
    return l1 ? <a href={hrefOf("l1", l1.name)}>{visibleText(name)}</a> : visibleText(name)
  }
  return (
    <section class="sheet">
      <h2>Blockchains ({chains.length})</h2>
      <ol class="list">
        {chains.map((chain) => (
          <li key={chain.id}>
            <strong>{nameOf(chain)}</strong>
            {isPrimary ? <code title={chain.id}>{shortened(chain.id)}</code> : <IdLink view="tx" id={chain.id} />}
            <span class="quiet">
              VM <code title={chain.vmID}>{shortened(chain.vmID)}</code>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const nodeColumn: Column<Validator> = {
  name: "Node",
  sortBy: (row) => row.nodeID,
  cell: (row) => <L1Node {...row} />,
}

const weightColumn: Column<Validator> = {
  name: "Weight",
  isNumber: true,
  sortBy: (row) => BigInt(row.weight),
  cell: (row) => grouped(row.weight),
}

function stakerColumns(now: number): readonly Column<Validator>[] {
  const left = (row: Validator): number => secondsOf(row.endTime ?? 0) - now
  return [nodeColumn, weightColumn, { name: "Time left", isNumber: true, sortBy: left, cell: (row) => durationText(left(row)) }]
}

/** An L1 validator pays from its balance each second; without one it is inactive. */
function l1Columns(now: number, price: bigint): readonly Column<Validator>[] {
  const secondsLeft = (row: Validator): number => Number(BigInt(row.balance ?? 0) / (price === 0n ? 1n : price))
  return [
    nodeColumn,
    weightColumn,
    {
      name: "Balance",
      isNumber: true,
      sortBy: (row) => BigInt(row.balance ?? 0),
      cell: (row) => <Amount nanos={row.balance ?? 0} />,
    },
    {
      name: "Runs out",
      hint: "At the fee of now",
      isNumber: true,
      sortBy: secondsLeft,
      cell: (row) =>
        BigInt(row.balance ?? 0) === 0n ? (
          <span class="bad">inactive</span>
        ) : (
          <span title={utcText(now + secondsLeft(row))}>in {durationText(secondsLeft(row))}</span>
        ),
    },
  ]
}

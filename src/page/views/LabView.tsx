import { network } from "../data/network.js"
import { dev } from "../data/rpc.js"
import { useQuery } from "../data/useQuery.js"
import { Accounts } from "../lab/Accounts.js"
import { AddValidators } from "../lab/AddValidators.js"
import { Blocks } from "../lab/Blocks.js"
import { DryRun } from "../lab/DryRun.js"
import { Fund } from "../lab/Fund.js"
import { L1s } from "../lab/L1s.js"
import { Snapshots } from "../lab/Snapshots.js"
import type { Status } from "../lab/status.js"
import { TimeTravel } from "../lab/TimeTravel.js"
import { Answer, Title } from "../parts/states.js"

/** Controls of a private chain. Each form is one call of `/ext/dev`. */
export function LabView() {
  if (network.value.hasLab === false) return <NoLab />
  return <Lab />
}

function NoLab() {
  return (
    <>
      <Title>Lab</Title>
      <p>This node does not offer a Lab: its chain is not a private one, or it is served to the public.</p>
    </>
  )
}

function Lab() {
  const query = useQuery("lab", () => dev<Status>("status"))
  return (
    <>
      <Title>Lab</Title>
      <p>This chain is private: you may move its time, make blocks and give AVAX away. Nothing here is worth anything.</p>
      <Answer query={query}>
        {(status) => (
          <div class="columns lab">
            <div>
              <Accounts />
              <Snapshots status={status} />
              <Blocks status={status} />
            </div>
            <div>
              <TimeTravel status={status} />
              <AddValidators />
              <L1s />
              <Fund />
              <DryRun />
            </div>
          </div>
        )}
      </Answer>
    </>
  )
}

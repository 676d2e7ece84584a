import { afterAll } from "vitest"
import { allCases } from "./cases/all.js"
import { answersAreAsExpected } from "./checks/answers.js"
import { answersFollowTheChain } from "./checks/changes.js"
import { tableIsComplete } from "./checks/complete.js"
import { formsAreAsRecorded } from "./checks/forms.js"
import { spellingsDoNotMatter } from "./checks/leniency.js"
import { pagesAreWhole } from "./checks/pages.js"
import { secretsAreKept } from "./checks/secrets.js"
import { openMethodsFixture } from "./fixture.js"

const facts = await openMethodsFixture()
afterAll(async () => {
  for (const node of Object.values(facts.nodes)) await node.stop()
})

const table = allCases(facts)
answersAreAsExpected(facts, table)
secretsAreKept(facts, table)
spellingsDoNotMatter(facts, table)
formsAreAsRecorded(facts)
pagesAreWhole(facts)
answersFollowTheChain(facts)
tableIsComplete(facts, table)

import { atomic } from "./atomic.js"
import { autoRenewed } from "./autoRenewed.js"
import { l1 } from "./l1.js"
import { payments } from "./payments.js"
import { staking } from "./staking.js"
import type { Step } from "./step.js"
import { subnets } from "./subnets.js"

/** Every kind of transaction that the library builds. Each step uses objects that the steps before it created. */
export const steps: readonly Step[] = [...payments, ...subnets, ...staking, ...l1, ...atomic, ...autoRenewed]

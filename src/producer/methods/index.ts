import { accounts } from "./accounts.js"
import { addValidators } from "./addValidators.js"
import { advanceTime } from "./advanceTime.js"
import { createL1 } from "./createL1.js"
import { creditAtomic } from "./creditAtomic.js"
import { disableL1Validator } from "./disableL1Validator.js"
import { dropTx } from "./dropTx.js"
import { dumpState } from "./dumpState.js"
import { fund } from "./fund.js"
import { impersonate } from "./impersonate.js"
import { increaseL1Balance } from "./increaseL1Balance.js"
import { issueL1Message } from "./issueL1Message.js"
import { listL1s } from "./listL1s.js"
import { listMessages } from "./listMessages.js"
import { loadState } from "./loadState.js"
import { mempool } from "./mempool.js"
import { mine } from "./mine.js"
import { newIdentity } from "./newIdentity.js"
import { pay } from "./pay.js"
import { registerL1Validator } from "./registerL1Validator.js"
import { relay } from "./relay.js"
import { removeL1 } from "./removeL1.js"
import { reset } from "./reset.js"
import { revert } from "./revert.js"
import { setAutoRenewedConfig } from "./setAutoRenewedConfig.js"
import { setBlockMode } from "./setBlockMode.js"
import { setL1Weight } from "./setL1Weight.js"
import { setTime } from "./setTime.js"
import { setUptime } from "./setUptime.js"
import { signWarpMessage } from "./signWarpMessage.js"
import { simulateTx } from "./simulateTx.js"
import { snapshot } from "./snapshot.js"
import { startL1 } from "./startL1.js"
import { status } from "./status.js"
import { stopImpersonating } from "./stopImpersonating.js"
import { stopL1 } from "./stopL1.js"
import { takeValidatorKeys } from "./takeValidatorKeys.js"
import { waitForTx } from "./waitForTx.js"

/** The methods of `/ext/dev`. */
export const devMethods = [
  status,
  advanceTime,
  setTime,
  mine,
  setBlockMode,
  snapshot,
  revert,
  reset,
  fund,
  creditAtomic,
  addValidators,
  newIdentity,
  setUptime,
  signWarpMessage,
  impersonate,
  issueL1Message,
  stopImpersonating,
  simulateTx,
  mempool,
  dropTx,
  waitForTx,
  disableL1Validator,
  dumpState,
  loadState,
  accounts,
  pay,
  createL1,
  listL1s,
  startL1,
  stopL1,
  removeL1,
  relay,
  listMessages,
  registerL1Validator,
  setL1Weight,
  increaseL1Balance,
  takeValidatorKeys,
  setAutoRenewedConfig,
] as const

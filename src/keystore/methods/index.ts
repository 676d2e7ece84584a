import { createUser } from "./createUser.js"
import { deleteUser } from "./deleteUser.js"
import { exportUser } from "./exportUser.js"
import { importUser } from "./importUser.js"
import { listUsers } from "./listUsers.js"

/** The methods of `/ext/keystore`. */
export const keystoreMethods = [createUser, deleteUser, exportUser, importUser, listUsers] as const

/** The proposals (ACPs) that v1.15.0 knows and lists in `info.acps`, scheduled or not. */
export const currentACPs: readonly number[] = [194, 224, 236, 247, 267, 273, 283, 285]

/** ACPs that are part of Helicon. A node that follows the upgrade announces that it supports them. */
export const scheduledACPs: readonly number[] = [194, 236, 267, 273, 283, 285]

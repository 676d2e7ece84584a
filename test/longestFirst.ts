import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Folders by the time that one of their files may take. Files elsewhere take a second or less each, and come last. */
const FOLDERS = [
  "test/clients/guides",
  "test/page/",
  "test/postgres/",
  "test/faults/",
  "test/workers/",
  "test/clients/",
  "test/cli/",
  "test/sync/",
  "test/simulator/",
  "test/network/",
  "test/node/",
  "test/rpc/",
  "test/golden/",
  "test/execution/",
  "test/",
]

/**
 * Runs the files of slow folders first, so that at the end no worker waits for another one that still has a long file. vitest itself sorts by
 * the durations of an earlier run, which a fresh clone does not have, and otherwise by the sizes of the files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      // A worker that meets a file with a process of its own ends, so these come before all workers that are shared.
      if (project.config.isolate) return -1
      const place = FOLDERS.findIndex((folder) => relative(this.ctx.config.root, moduleId).startsWith(folder))
      return place < 0 ? FOLDERS.length : place
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

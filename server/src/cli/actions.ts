import { open } from 'node:fs/promises'
import { exportLines, type ExportFormat } from '../features/organisers/actions/export.ts'
import { readAllActions } from '../features/organisers/actions/store.ts'
import { refuseToCreate } from '../lib/reason.ts'
import { openExistingStore } from './existing-data.ts'
import type { ProcessContext } from './process-context.ts'
import { instantOf } from './values.ts'

export interface ActionsCommand {
  readonly format: ExportFormat
  readonly output?: string
  readonly actor?: string
  readonly action?: string
  readonly target?: string
  readonly after?: string
  readonly until?: string
}

/** `pennant actions export`. */
export async function exportActions(context: ProcessContext, command: ActionsCommand): Promise<void> {
  const { format, output, actor, action, target } = command
  const [after, until] = [command.after, command.until].map((text) =>
    text === undefined ? undefined : new Date(instantOf(text)),
  )
  await using store = await openExistingStore(context)
  const lines = exportLines(readAllActions(store.db, { actor, action, target, after, until }), format)
  if (output === undefined) {
    for await (const line of lines) context.print(line.trimEnd())
    return
  }
  await writeFile(output, lines)
  context.print(`Wrote ${output}.`)
}

/** Readable only by this user: the log has names and addresses. */
async function writeFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(refuseToCreate(path))
  try {
    for await (const line of lines) await file.writeFile(line)
  } finally {
    await file.close()
  }
}

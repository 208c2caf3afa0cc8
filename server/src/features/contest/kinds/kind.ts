import type { WorldView } from '../../../world/model.ts'
import type { AnyRowKind } from '../../../world/row-kind.ts'
import type { AnyArchiveKind } from './archive-kind.ts'
import type { AnyStateEvent, AnyStreamKind } from './stream-kind.ts'
import type { UndoRule } from './undo-kind.ts'

/** Everything that a feature adds to the parts that treat all kinds of rows alike: docs/decisions/0044-declare-kinds-of-rows-as-values.md */
export interface Kind {
  /** What every process keeps in memory. */
  readonly rows: readonly AnyRowKind[]
  /** Events of the stream. */
  readonly events?: readonly AnyStreamKind[]
  readonly states?: readonly AnyStateEvent[]
  /** By the name of the action in the action log. */
  readonly undo?: Readonly<Record<string, UndoRule>>
  /** A field of challenge archives. */
  readonly archive?: AnyArchiveKind
  /** The name of an object in the action log. */
  nameOf?(id: string, world: WorldView): string | undefined
}

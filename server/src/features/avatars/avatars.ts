import { createHash } from 'node:crypto'
import { badAvatarFile, badAvatarFileSize, badModerationNotPassed } from '@pennant/contract/avatars.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import { createSlots } from '../../lib/slots.ts'
import type { Moderation } from '../../providers/moderation/moderation.ts'
import type { StagedFile, Uploads } from '../../providers/uploads/uploads.ts'
import { keyIn, keyOf } from './keys.ts'
import { createPictures } from './pictures.ts'
import { setAvatar, whileAlone, type Actor, type Protection } from './store.ts'

export interface AvatarsDeps {
  readonly db: Database
  readonly uploads: Uploads
  readonly moderation: ModerationRule | null
  readonly maxAvatarSize: number
  readonly log: Log
}

export interface ModerationRule {
  readonly moderation: Moderation
  /** What a service that gives no verdict means. */
  readonly allowOnInternalError: boolean
}

type Drawn =
  | { readonly picture: Buffer | null }
  | { readonly refused: ReturnType<typeof badAvatarFile> | ReturnType<typeof badModerationNotPassed> }

export interface Replacement {
  readonly teamId: string
  /** Null: the avatar is removed. */
  readonly picture: Buffer | null
  readonly actor: Actor | null
}

export interface Avatars {
  /** The refusal of a file that is too large. */
  sizeRefusal(file: StagedFile | null): ReturnType<typeof badAvatarFileSize> | null
  /** What would be shown, unless it is no picture or not a decent one. */
  draw(file: StagedFile | null): Promise<Drawn>
  /** Stores first, then updates the team, then removes the old file: a failure leaves the team what it had. */
  replace(replacement: Replacement): Promise<{ readonly url: string | null } | Protection>
}

export function createAvatars(deps: AvatarsDeps): Avatars {
  const { db, uploads, moderation, maxAvatarSize, log } = deps
  const pictures = createPictures(log)
  // Each holds a connection while it asks for another: several at once could wait for each other.
  const saving = createSlots({ slots: 1, maxQueue: 100 })

  async function removeQuietly(key: string): Promise<void> {
    try {
      await uploads.remove(key)
    } catch (error) {
      // The team has what it asked for. What is left is a file that nothing points to.
      log.warn({ err: error, key }, 'an old avatar could not be removed')
    }
  }

  return {
    sizeRefusal: (file) =>
      file && file.size > maxAvatarSize ? badAvatarFileSize({ maxSize: maxAvatarSize }) : null,

    async draw(file) {
      if (!file) return { picture: null }
      const picture = await pictures.render(file.path)
      if (!picture) return { refused: badAvatarFile() }
      if (moderation && !(await isAllowed(picture, moderation, log)))
        return { refused: badModerationNotPassed() }
      return { picture }
    },

    replace: ({ teamId, picture, actor }) =>
      saving(() =>
        whileAlone(db, teamId, async () => {
          const key = picture && keyOf(teamId, createHash('sha256').update(picture).digest('hex'))
          const stored = picture && key ? await uploads.store(key, picture) : null
          const url = stored?.url ?? null
          const changed = await setAvatar(db, { teamId, url, actor })
          // Deleted in the meantime: nobody will ever point to the file.
          if (changed === 'gone' && key) await removeQuietly(key)
          if (typeof changed === 'string') return changed
          const old = keyIn(teamId, changed.previous)
          if (old !== null && old !== key) await removeQuietly(old)
          return { url }
        }),
      ),
  }
}

async function isAllowed(picture: Buffer, rule: ModerationRule, log: Log): Promise<boolean> {
  try {
    return await rule.moderation.isAllowed(picture)
  } catch (error) {
    log.warn({ err: error }, 'moderation gave no verdict on an avatar')
    return rule.allowOnInternalError
  }
}

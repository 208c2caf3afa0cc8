import { createHash } from 'node:crypto'
import { badAvatarFile, badAvatarFileSize, badModerationNotPassed } from '@pennant/contract/avatars.ts'
import type { Database } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { Moderation } from '../../../providers/moderation/moderation.ts'
import type { StagedFile, Uploads } from '../../../providers/uploads/uploads.ts'
import { keyIn, keyOf } from './keys.ts'
import { createPictures } from './pictures.ts'
import { setAvatar, withAvatarLock, type Actor, type Protection } from './store.ts'

export interface AvatarsDeps {
  readonly db: Database
  readonly uploads: Uploads
  readonly moderation: ModerationRule | null
  readonly maxAvatarSize: number
  readonly log: Log
}

export interface ModerationRule {
  readonly moderation: Moderation
  /** Whether to allow the avatar if the moderation service fails. */
  readonly allowOnInternalError: boolean
}

type Drawn =
  | { readonly picture: Buffer | null }
  | { readonly refused: ReturnType<typeof badAvatarFile> | ReturnType<typeof badModerationNotPassed> }

export interface Replacement {
  readonly teamId: string
  /** Null removes the avatar. */
  readonly picture: Buffer | null
  readonly actor: Actor | null
}

export interface Avatars {
  /** The error response if the file is too large, otherwise null. */
  sizeRefusal(file: StagedFile | null): ReturnType<typeof badAvatarFileSize> | null
  /** Renders the picture, or refuses a file that is not a picture or does not pass moderation. */
  draw(file: StagedFile | null): Promise<Drawn>
  /**
   * Stores the new file, updates the team, then deletes the old file. After a failure the team keeps its old
   * avatar.
   */
  replace(replacement: Replacement): Promise<{ readonly url: string | null } | Protection>
}

export function createAvatars(deps: AvatarsDeps): Avatars {
  const { db, uploads, moderation, maxAvatarSize, log } = deps
  const pictures = createPictures(log)
  // Each save holds one connection while it requests another. Concurrent saves could deadlock on the
  // connection pool.
  const saving = createSemaphore({ slots: 1, maxQueue: 100 })

  async function removeQuietly(key: string): Promise<void> {
    try {
      await uploads.remove(key)
    } catch (error) {
      // The change itself succeeded. Only an unreferenced file is left behind.
      log.warn({ err: error, key }, 'could not delete an old avatar')
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
        withAvatarLock(db, teamId, async () => {
          const key = picture && keyOf(teamId, createHash('sha256').update(picture).digest('hex'))
          const stored = picture && key ? await uploads.store(key, picture) : null
          const url = stored?.url ?? null
          const changed = await setAvatar(db, { teamId, url, actor })
          // The team was deleted in the meantime, so nothing will reference the file.
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
    log.warn({ err: error }, 'the moderation of an avatar failed')
    return rule.allowOnInternalError
  }
}

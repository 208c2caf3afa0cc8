import type { IncomingMessage } from 'node:http'
import { badUserPrivileged } from '@pennant/contract/admin-teams.ts'
import { goodAvatarUpdated, updateAvatar, updateTeamAvatar } from '@pennant/contract/avatars.ts'
import { badCaptcha, badRateLimit, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import { on, type Endpoint } from '../../http/handler.ts'
import type { CaptchaGate } from '../../http/pipeline.ts'
import type { BucketSize, Buckets } from '../../lib/key-value.ts'
import { openStaging, type Staging } from '../uploads/staging.ts'
import { createAvatars, type AvatarsDeps } from './avatars.ts'
import { receiveAvatarForm } from './form.ts'
import { findProtection } from './store.ts'

export interface AvatarDeps extends AvatarsDeps {
  readonly buckets: Buckets
  /** The form is read here, so its captcha is checked here. */
  readonly captcha: CaptchaGate
  /** Most bytes of the whole form. */
  readonly bodyCap: number
}

/** Contract, participant 6. */
const AVATAR_BUCKET: BucketSize = { burst: 2, windowMs: 120_000 }

const refusals = { gone: badUnknownUser, privileged: badUserPrivileged }

export function avatarRoutes(deps: AvatarDeps): Endpoint[] {
  const { db, uploads, buckets, captcha, maxAvatarSize, bodyCap } = deps
  const avatars = createAvatars(deps)
  const receive = (raw: IncomingMessage, staging: Staging) =>
    receiveAvatarForm(raw, { staging, maxAvatarSize, bodyCap })

  return [
    on(updateAvatar, async ({ raw, team: { id: teamId }, ip }) => {
      await using staging = openStaging(uploads.stagingFolder)
      const received = await receive(raw, staging)
      if ('refused' in received) return received.refused
      const { avatar, captchaCode } = received.form
      if (captcha.isProtected('avatarUpload') && !(await captcha.verify(captchaCode, ip))) return badCaptcha()
      const tooLarge = avatars.sizeRefusal(avatar)
      if (tooLarge) return tooLarge
      const timeLeft = await buckets.take(`avatar:${teamId}`, AVATAR_BUCKET)
      if (timeLeft > 0) return badRateLimit({ timeLeft })
      const drawn = await avatars.draw(avatar)
      if ('refused' in drawn) return drawn.refused
      const replaced = await avatars.replace({ teamId, picture: drawn.picture, actor: null })
      // Deleted in the meantime: its token is no longer one.
      return typeof replaced === 'string' ? badToken() : goodAvatarUpdated(replaced)
    }),

    on(updateTeamAvatar, async ({ raw, params: { id: teamId }, team, ip }) => {
      await using staging = openStaging(uploads.stagingFolder)
      const received = await receive(raw, staging)
      if ('refused' in received) return received.refused
      const protection = await findProtection(db, teamId)
      if (protection) return refusals[protection]()
      const { avatar } = received.form
      const tooLarge = avatars.sizeRefusal(avatar)
      if (tooLarge) return tooLarge
      const drawn = await avatars.draw(avatar)
      if ('refused' in drawn) return drawn.refused
      const actor = { actorId: team.id, ip }
      const replaced = await avatars.replace({ teamId, picture: drawn.picture, actor })
      return typeof replaced === 'string' ? refusals[replaced]() : goodAvatarUpdated(replaced)
    }),
  ]
}

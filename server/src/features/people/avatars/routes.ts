import { badUserPrivileged } from '@pennant/contract/admin-teams.ts'
import { goodAvatarUpdated, updateAvatar, updateTeamAvatar } from '@pennant/contract/avatars.ts'
import { badCaptcha, badToken, badUnknownUser } from '@pennant/contract/replies.ts'
import type { IncomingBody } from '../../../http/request/body.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import type { CaptchaGate } from '../../../http/decide/steps.ts'
import type { Limiter } from '../../../http/request/limiter.ts'
import { openStaging, type Staging } from '../../site/uploads/staging.ts'
import { createAvatars, type AvatarsDeps } from './avatars.ts'
import { receiveAvatarForm } from './form.ts'
import { findProtection } from './store.ts'

export interface AvatarDeps extends AvatarsDeps {
  readonly limiter: Limiter
  /** Checked here and not by the HTTP layer, because the form is read here. */
  readonly captcha: CaptchaGate
  /** Maximum size of the whole form, in bytes. */
  readonly bodyCap: number
}

const refusals = { gone: badUnknownUser, privileged: badUserPrivileged }

export function avatarRoutes(deps: AvatarDeps): Endpoint[] {
  const { db, uploads, limiter, captcha, maxAvatarSize, bodyCap } = deps
  const avatars = createAvatars(deps)
  const receive = (incoming: IncomingBody, staging: Staging) =>
    receiveAvatarForm(incoming, { staging, maxAvatarSize, bodyCap })

  return [
    on(updateAvatar, async ({ incoming, team: { id: teamId }, ip }) => {
      await using staging = openStaging(uploads.stagingFolder)
      const received = await receive(incoming, staging)
      if ('refused' in received) return received.refused
      const { avatar, captchaCode } = received.form
      if (captcha.isProtected('avatarUpload') && !(await captcha.verify(captchaCode, ip))) return badCaptcha()
      const tooLarge = avatars.sizeRefusal(avatar)
      if (tooLarge) return tooLarge
      const limited = await limiter.take('avatarChanges', teamId)
      if (limited) return limited
      const drawn = await avatars.draw(avatar)
      if ('refused' in drawn) return drawn.refused
      const replaced = await avatars.replace({ teamId, picture: drawn.picture, actor: null })
      // The team was deleted in the meantime, so its token is no longer valid.
      return typeof replaced === 'string' ? badToken() : goodAvatarUpdated(replaced)
    }),

    on(updateTeamAvatar, async ({ incoming, params: { id: teamId }, team, ip }) => {
      await using staging = openStaging(uploads.stagingFolder)
      const received = await receive(incoming, staging)
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

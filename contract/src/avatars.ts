import { z } from 'zod'
import { badUserPrivileged } from './admin-teams.ts'
import { CaptchaCode, TeamId } from './fields.ts'
import * as shared from './replies.ts'
import { reply, route } from './route.ts'

// Avatars, stored as WebP of 256 by 256 pixels whatever format is uploaded: docs/reference/uploads.md#avatars

export const goodAvatarUpdated = reply(
  200,
  'goodAvatarUpdated',
  'The avatar was updated.',
  z.object({ url: z.string().nullable() }),
)
export const badAvatarFile = reply(400, 'badAvatarFile', 'The avatar is not a picture that can be read.')
export const badAvatarFileSize = reply(
  400,
  'badAvatarFileSize',
  'The avatar is too large.',
  z.object({ maxSize: z.int() }),
)
export const badModerationNotPassed = reply(
  400,
  'badModerationNotPassed',
  'The avatar did not pass moderation.',
)

/** Without it, the avatar is removed. */
const avatar = z.file().optional()

const replies = [
  goodAvatarUpdated,
  shared.badToken,
  badAvatarFileSize,
  badAvatarFile,
  badModerationNotPassed,
] as const

export const updateAvatar = route({
  method: 'PATCH',
  path: '/api/v2/users/me/avatar',
  summary: "Replaces or removes the avatar of the caller's team.",
  auth: 'required',
  scope: 'profile',
  captcha: { action: 'avatarUpload', field: 'captchaCode' },
  form: z.object({ avatar, captchaCode: CaptchaCode }),
  bodyCap: 'avatar',
  limits: ['accountChanges'],
  handlerLimits: ['avatarChanges'],
  compatible: true,
  replies: [...replies, shared.badCaptcha],
})

export const updateTeamAvatar = route({
  method: 'PATCH',
  path: '/api/v2/admin/users/:id/avatar',
  summary: 'Replaces or removes the avatar of a team without permissions.',
  auth: 'required',
  perms: ['usersWrite'],
  scope: 'teams:write',
  params: z.object({ id: TeamId }),
  form: z.object({ avatar }),
  bodyCap: 'avatar',
  limits: ['organiserFiles'],
  replies: [...replies, shared.badUnknownUser, badUserPrivileged],
})

export const avatarRouteList = [updateAvatar, updateTeamAvatar] as const

import type { Config } from '../config/config.ts'
import { avatarRoutes } from '../features/people/avatars/routes.ts'
import { uploadRoutes } from '../features/site/uploads/routes.ts'
import type { Endpoint } from '../http/handler.ts'
import { contestImportEndpoints } from './contest-import.ts'
import { bodyCaps, captchaGate } from './pipeline.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Endpoints for files: attachments of challenges, avatars of teams, contests of other platforms. */
export function fileEndpoints(config: Config, stores: Stores, providers: Providers): Endpoint[] {
  const { db, log, limiter } = stores
  const { uploads, captcha } = providers
  return [
    ...uploadRoutes({ db, log, uploads, maxRequestBodySize: config.maxRequestBodySize }),
    ...avatarRoutes({
      db,
      log,
      uploads,
      limiter,
      moderation: moderationRule(config, providers),
      captcha: captchaGate(config, captcha),
      maxAvatarSize: config.maxAvatarSize,
      bodyCap: bodyCaps(config).avatar,
    }),
    ...contestImportEndpoints(config, stores, providers),
  ]
}

function moderationRule({ avatarsModeration }: Config, { moderation }: Providers) {
  if (!avatarsModeration || !moderation) return null
  return { moderation, allowOnInternalError: avatarsModeration.allowOnInternalError }
}

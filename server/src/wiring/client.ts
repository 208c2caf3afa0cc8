import type { Config } from '../config/config.ts'
import { analyticsRoutes } from '../features/site/analytics/routes.ts'
import { captchaRoutes } from '../features/site/captcha/routes.ts'
import { clientConfigRoutes } from '../features/site/client-config/routes.ts'
import type { PublicDeployment } from '../features/site/client-config/views.ts'
import type { Endpoint } from '../http/handler.ts'
import type { Providers } from './providers.ts'
import type { Stores } from './stores.ts'

/** Endpoints that a client calls first. */
export function clientEndpoints(config: Config, stores: Stores, providers: Providers): Endpoint[] {
  const { visibility, shown, now, log } = stores
  const deployment = { ...publicDeployment(config, providers), publicDemo: publicDemoOf(config, stores) }
  return [
    ...clientConfigRoutes({
      visibility,
      world: shown,
      settingsDefaults: config,
      deployment,
      now,
    }),
    ...captchaRoutes({ captcha: providers.captcha }),
    ...analyticsRoutes({ analytics: providers.analytics, now, log }),
  ]
}

/** Everyone gets these tokens. Of teams that are configured, so that no other team can get into the list. */
function publicDemoOf({ publicDemo }: Config, { tokens }: Stores): PublicDeployment['publicDemo'] {
  if (!publicDemo) return undefined
  const { organiser, players, resetAt } = publicDemo
  return {
    resetAt,
    organiserToken: tokens.issueTeam(organiser),
    playerTokens: players.map((id) => tokens.issueTeam(id)),
  }
}

function publicPeople({
  people: { mode, maxTeamSize, lockAt, individual, providers },
}: Config): PublicDeployment['people'] {
  if (mode === 'off') return undefined
  return {
    mode,
    maxTeamSize,
    ...(lockAt !== undefined && { lockAt }),
    ...(individual && { individual }),
    ...(providers.length > 0 && { providers: providers.map(({ id, label }) => ({ id, label })) }),
  }
}

function publicDeployment(
  config: Config,
  { captcha, email, analytics, instancers, adminBot, uploads }: Providers,
): PublicDeployment {
  return {
    origin: config.origin,
    divisions: config.divisions,
    defaultDivision: config.defaultDivision ?? null,
    userMembers: config.userMembers,
    emailEnabled: email !== null,
    registrationsEnabled: config.registrationsEnabled,
    flagFormatPlaceholder: config.flagFormatPlaceholder,
    instancerEnabled: instancers !== null,
    adminBotEnabled: adminBot !== null,
    extrank: config.extrank ?? null,
    analytics:
      config.analytics && analytics
        ? { provider: config.analytics.provider.name, publicOptions: analytics.publicOptions }
        : null,
    globalSiteTag: config.globalSiteTag ?? null,
    uploadsOrigin: uploads.origin,
    people: publicPeople(config),
    captcha:
      config.captcha && captcha
        ? {
            provider: config.captcha.provider.name,
            publicOptions: captcha.publicOptions,
            protectedActions: config.captcha.protectedEndpoints,
          }
        : null,
  }
}

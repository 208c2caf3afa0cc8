import { botConfig, botSecret } from '../bot-contest.ts'
import { withMail } from '../mail.ts'
import { siteClient, startFakeRankingSite } from '../ranking-site.ts'

export interface Deployment extends AsyncDisposable {
  readonly config: Readonly<Record<string, unknown>>
  /** Secrets of the configuration, which no response may contain. */
  readonly secrets: readonly string[]
  /** The admin-bot worker's token; null without an admin bot. */
  readonly serviceToken: string | null
}

/** A deployment without optional features: most integration routes respond that they are not available. */
export async function plainDeployment(): Promise<Deployment> {
  return { config: {}, secrets: [], serviceToken: null, async [Symbol.asyncDispose]() {} }
}

export const humanCode = 'human'

export const feedKey = 'fuzz-standings-feed-key'

/** A deployment with every optional feature that needs no external service. */
export async function fullDeployment(): Promise<Deployment> {
  const site = await startFakeRankingSite()
  site.teams.set('code', { id: 7, name: 'Ranked' })
  site.teams.set('odd', { id: -1, name: '\0' })
  const { tokenUrl, userUrl } = site
  return {
    config: {
      ...withMail,
      ...botConfig,
      rateLimits: {},
      instancers: { local: { name: 'instancers/memory' } },
      extrank: { ...siteClient, tokenUrl, userUrl },
      standingsFeed: { key: feedKey },
      captcha: {
        provider: { name: 'captcha/static', options: { code: humanCode } },
        protectedEndpoints: ['recover', 'adminBotSubmit', 'instancerStart'],
      },
    },
    secrets: [botSecret, siteClient.clientSecret, feedKey],
    serviceToken: botSecret,
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}

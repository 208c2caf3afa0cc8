import { isObject, objectOf, textOrNull, type Json } from '../json.ts'

// Environment variables that rCTF reads. Other names with its prefix belong to tools on the same machine.

export type Environment = Readonly<Record<string, string | undefined>>

/** Values by their source, in the order in which they are merged. */
export interface ConfigLayer {
  /** A file, or a variable. */
  readonly source: string
  readonly values: Json
}

const words = (prefix: string, block: string, names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([name, key]) => [`RCTF_${prefix}${name}`, `${block}${key}`] as const)

const NAMES: Readonly<Record<string, string>> = Object.fromEntries([
  ...words('', '', {
    NAME: 'ctfName',
    ORIGIN: 'origin',
    TOKEN_KEY: 'tokenKey',
    INSTANCE_TYPE: 'instanceType',
    SHUTDOWN_TIMEOUT: 'shutdownTimeout',
    IDLE_TIMEOUT: 'idleTimeout',
    MAX_REQUEST_BODY_SIZE: 'maxRequestBodySize',
    USER_MEMBERS: 'userMembers',
    HOME_CONTENT: 'homeContent',
    IMAGE_URL: 'meta.imageUrl',
    META_DESCRIPTION: 'meta.description',
    FAVICON_URL: 'faviconUrl',
    LOGO_URL: 'logoUrl',
    GLOBAL_SITE_TAG: 'globalSiteTag',
    EMAIL_FROM: 'email.from',
    EMAIL_LOGO_URL: 'email.logoUrl',
    START_TIME: 'startTime',
    END_TIME: 'endTime',
    LOGIN_TIMEOUT: 'loginTimeout',
    UPLOAD_PROVIDER: 'uploadProvider.name',
    CTFTIME_CLIENT_ID: 'ctftime.clientId',
    CTFTIME_CLIENT_SECRET: 'ctftime.clientSecret',
    DATABASE_MIGRATE: 'database.migrate',
    DATABASE_URL: 'database.sql',
    REDIS_URL: 'database.redis',
  }),
  ...words('LEADERBOARD_', 'leaderboard.', {
    MAX_LIMIT: 'maxLimit',
    MAX_OFFSET: 'maxOffset',
    UPDATE_INTERVAL: 'updateInterval',
    GRAPH_MAX_TEAMS: 'graphMaxTeams',
    GRAPH_SAMPLE_TIME: 'graphSampleTime',
  }),
  ...['HOST', 'PORT', 'USERNAME', 'PASSWORD', 'DATABASE'].flatMap((name) => [
    [`RCTF_DATABASE_${name}`, `database.sql.${name.toLowerCase()}`] as const,
    [`RCTF_REDIS_${name}`, `database.redis.${name.toLowerCase()}`] as const,
  ]),
])

const siteKeys = (prefix: string) => ({
  [`RCTF_${prefix}_SITE_KEY`]: 'siteKey',
  [`RCTF_${prefix}_SECRET_KEY`]: 'secretKey',
})

/** Options of a provider, if it is the configured one: block of the provider, its name, variables. */
const PROVIDERS: readonly (readonly [at: string, name: string, options: Readonly<Record<string, string>>])[] =
  [
    ['email.provider', 'emails/smtp', { RCTF_SMTP_URL: 'smtpUrl' }],
    [
      'email.provider',
      'emails/ses',
      { RCTF_SES_KEY_ID: 'awsKeyId', RCTF_SES_KEY_SECRET: 'awsKeySecret', RCTF_SES_REGION: 'awsRegion' },
    ],
    ['email.provider', 'emails/postmark', { RCTF_POSTMARK_SERVER_TOKEN: 'serverToken' }],
    ['email.provider', 'emails/mailgun', { RCTF_MAILGUN_API_KEY: 'apiKey', RCTF_MAILGUN_DOMAIN: 'domain' }],
    [
      'uploadProvider',
      'uploads/s3',
      {
        RCTF_S3_BUCKET: 'bucketName',
        RCTF_S3_KEY_ID: 'awsKeyId',
        RCTF_S3_KEY_SECRET: 'awsKeySecret',
        RCTF_S3_REGION: 'awsRegion',
      },
    ],
    [
      'uploadProvider',
      'uploads/r2',
      {
        RCTF_R2_BUCKET: 'bucketName',
        RCTF_R2_ACCOUNT_ID: 'cfAccountId',
        RCTF_R2_KEY_ID: 'cfKeyId',
        RCTF_R2_KEY_SECRET: 'cfKeySecret',
        RCTF_R2_PUBLIC_BASE_URL: 'publicBaseUrl',
        RCTF_R2_JURISDICTION: 'jurisdiction',
      },
    ],
    [
      'uploadProvider',
      'uploads/gcs',
      {
        RCTF_GCS_PROJECT_ID: 'projectId',
        RCTF_GCS_BUCKET: 'bucketName',
        RCTF_GCS_CREDENTIALS: 'credentials',
      },
    ],
    ['captcha.provider', 'captcha/recaptcha', siteKeys('RECAPTCHA')],
    ['captcha.provider', 'captcha/hcaptcha', siteKeys('HCAPTCHA')],
    ['captcha.provider', 'captcha/turnstile', siteKeys('TURNSTILE')],
    [
      'avatarsModeration.provider',
      'moderation/openai',
      { RCTF_MODERATION_OPENAI_API_KEY: 'apiKey', RCTF_MODERATION_OPENAI_MODEL: 'model' },
    ],
    [
      'adminBot.provider',
      'admin-bots/rctf-ts',
      { RCTF_ADMIN_BOT_ENDPOINT: 'endpoint', RCTF_ADMIN_BOT_SECRET_KEY: 'secretKey' },
    ],
  ]

const INSTANCERS: readonly (readonly [name: string, options: Readonly<Record<string, string>>])[] = [
  ['instancers/docker', { DOCKER_INSTANCER_API_URL: 'apiUrl', DOCKER_INSTANCER_AUTH_TOKEN: 'authToken' }],
  [
    'instancers/k8s',
    {
      K8S_INSTANCER_API_URL: 'apiUrl',
      K8S_INSTANCER_AUTH_TOKEN: 'authToken',
      K8S_INSTANCER_CA_CERTIFICATE: 'caCertificate',
      K8S_INSTANCER_IN_CLUSTER: 'inCluster',
    },
  ],
]

/** One layer for each variable that is set. Some are options of what `files` configures. */
export function environmentLayers(env: Environment, files: Json): ConfigLayer[] {
  const named = layersOf(env, NAMES, '')
  const ofCaptcha = isObject(files['recaptcha']) ? layersOf(env, siteKeys('RECAPTCHA'), 'recaptcha.') : []
  const uploads = named.find(({ source }) => source === 'RCTF_UPLOAD_PROVIDER')
  const configured = (at: string) =>
    textOrNull(providerAt(at === 'uploadProvider' && uploads ? uploads.values : files, at)['name'])
  const ofProviders = PROVIDERS.filter(([at, name]) => configured(at) === name).flatMap(([at, , options]) =>
    layersOf(env, options, `${at}.options.`),
  )
  const instancers = Object.entries(objectOf(files['instancers'])).map(([key, value]) => [
    key,
    isObject(value) ? textOrNull(value['name']) : value,
  ])
  const ofInstancers = INSTANCERS.flatMap(([name, options]) =>
    instancers
      .filter(([, each]) => each === name)
      .flatMap(([key]) => layersOf(env, options, `instancers.${String(key)}.options.`)),
  )
  return [...named, ...ofCaptcha, ...ofProviders, ...ofInstancers]
}

function providerAt(values: Json, at: string): Json {
  const found = at.split('.').reduce<unknown>((each, key) => objectOf(each)[key], values)
  return typeof found === 'string' ? { name: found } : objectOf(found)
}

/** The name of an entry of `instancers` may have dots, so it is one step of the path. */
function layersOf(env: Environment, names: Readonly<Record<string, string>>, at: string): ConfigLayer[] {
  return Object.entries(names).flatMap(([source, key]) => {
    const text = env[source]
    if (text === undefined || text === '') return []
    return [{ source, values: nested([...pathOf(at), ...key.split('.')], valueOf(text)) }]
  })
}

function pathOf(at: string): string[] {
  const [, entry] = /^instancers\.(.*)\.options\.$/.exec(at) ?? []
  return entry === undefined ? at.split('.').filter(Boolean) : ['instancers', entry, 'options']
}

function nested(path: readonly string[], value: unknown): Json {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Json
}

/** Words of booleans as in the environment of this program; a number only if its text is the same. */
function valueOf(text: string): unknown {
  if (/^(true|yes|y)$/i.test(text)) return true
  if (/^(false|no|n)$/i.test(text)) return false
  return /^\d+$/.test(text) && String(Number(text)) === text ? Number(text) : text
}

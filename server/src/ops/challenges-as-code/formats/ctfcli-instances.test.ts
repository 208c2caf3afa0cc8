import { expect, test } from 'vitest'
import { readDocuments } from '../../../../test/challenge-documents.ts'

async function read(lines: string, instances = true) {
  const document = `name: A\ncategory: pwn\nvalue: 100\n${lines}\n`
  const { challenges, lines: found } = await readDocuments({ 'a/challenge.yml': document }, { instances })
  return { value: challenges[0]?.value, found: found.join('\n') }
}

const container = [
  'type: container',
  'flags: ["flag{a}"]',
  'extra:',
  '  { image: "reg/a:1", port: 1337, ctype: tcp, memory_limit: 64m, cpu_limit: 0.5, pids_limit: 20, timeout_minutes: 15 }',
].join('\n')

test('a container is an instance of each team', async () => {
  const { value, found } = await read(container)
  expect(value?.instancer).toMatchObject({
    config: { services: { app: { image: 'reg/a:1', mem_limit: '64m', cpus: 0.5, pids_limit: 20 } } },
    expose: [{ kind: 'tcp', containerName: 'app', containerPort: 1337 }],
    timeoutMilliseconds: 900_000,
  })
  expect(value?.flags).toEqual([{ provider: 'flags/static', config: { flag: 'flag{a}' } }])
  expect(found).not.toContain('error')
})

test('without the option it is none, and players cannot start it', async () => {
  const { value, found } = await read(container, false)
  expect(value?.instancer).toBeUndefined()
  expect(value?.points).toEqual({ min: 100, max: 100 })
  expect(found).toMatch(/warning: type: .*players cannot start.* \[instance\]/)
  expect(found).not.toContain('unknown-key')
})

test.each([
  ['extra: { image: a, internal_ports: "80,22", connection_type: http }', ['http', 'http'], [80, 22]],
  ['extra: { image: a, internal_port: 22, ctype: ssh }', ['tcp'], [22]],
])('ports of %s', async (extra, kinds, ports) => {
  const { value } = await read(`type: container\nflags: [f]\n${extra}`)
  const exposed = value?.instancer?.['expose'] as { kind: string; containerPort: number }[]
  expect(exposed.map(({ kind }) => kind)).toEqual(kinds)
  expect(exposed.map(({ containerPort }) => containerPort)).toEqual(ports)
})

test.each([
  [
    'type: container\nextra: { image: a, port: 1, flag_mode: random, flag_prefix: "ctf{", flag_suffix: "}" }',
    'ctf{}',
  ],
  ['type: dynamic_docker\nflags: ["hidden{x}"]\nextra: { docker_image: a, redirect_port: 1 }', 'hidden{}'],
  ['type: dynamic_docker\nextra: { docker_image: a, redirect_port: 1 }', 'flag{}'],
])('a flag of each team: %s', async (lines, base) => {
  const { value } = await read(lines)
  expect(value?.flags).toEqual([{ provider: 'flags/dynamic', config: { base, mode: 'tail' } }])
  expect(value?.instancer).toMatchObject({
    config: { services: { app: { environment: { FLAG: '$SVC_FLAG' } } } },
  })
})

test.each([
  ['type: container\nextra: { port: 80 }', 'error: extra.image: is missing'],
  ['type: container\nextra: { image: a }', 'error: extra'],
  [
    'type: container\nextra: { image: a, port: 1, volumes: "/srv:/srv" }',
    'error: extra.volumes: mounts folders',
  ],
  [
    'type: container\nextra: { image: a, port: 1, flag_mode: random, flag_prefix: x }',
    'error: extra.flag_prefix',
  ],
  [
    'type: dynamic_iac\nextra: { initial: 5, scenario: reg/x }',
    'error: type: dynamic_iac has its scenario elsewhere',
  ],
  [
    'type: kubectf\nextra: { initial: 5, template_name: x }',
    'error: type: kubectf has its scenario elsewhere',
  ],
  ['type: container\nextra: { image: a, port: 1, ssh_password: x }', 'warning: extra.ssh_password'],
])('says what no instance can have: %s', async (lines, message) => {
  expect((await read(lines)).found).toContain(message)
})

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

// Workflows run where no one can try them first: GitHub's own parser checks them here, and what it does not know is checked too.

const root = join(import.meta.dirname, '..')
const FOLDER = '.github/workflows'
const workflows = [
  ...readdirSync(join(root, FOLDER)).map((name) => `${FOLDER}/${name}`),
  // A sample for authors of challenges.
  'deploy/ci/github.yaml',
]
const FORMS = '.github/ISSUE_TEMPLATE'
/** Code that runs with the permissions of a job. Each more is one more that can be taken over. */
const ACTIONS = [
  'actions/checkout',
  'actions/setup-node',
  'actions/upload-artifact',
  'actions/download-artifact',
  'sigstore/cosign-installer',
]

interface Step {
  readonly uses?: string
  readonly run?: string
}
interface Job extends Step {
  readonly 'timeout-minutes'?: number
  readonly 'runs-on'?: string
  readonly steps?: readonly Step[]
}
interface Workflow {
  readonly permissions?: object
  readonly jobs: Readonly<Record<string, Job>>
}

const contentOf = (path: string) => readFileSync(join(root, path), 'utf8')
const workflowOf = (path: string) => parse(contentOf(path)) as Workflow
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap((job) => [job, ...(job.steps ?? [])])

async function problemsIn(content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: 'workflow', content }, new NoOperationTraceWriter())
  const template = value && (await convertWorkflowTemplate(context, value))
  return [...context.errors.getErrors(), ...(template?.errors ?? [])].map(
    (problem) => ('message' in problem && problem.message) || String(problem),
  )
}

describe.each(workflows)('%s', (path) => {
  const workflow = workflowOf(path)

  test('is valid', async () => {
    expect(await problemsIn(contentOf(path))).toEqual([])
  })

  test('states its permissions, and every job has a time limit', () => {
    expect(workflow.permissions).toBeDefined()
    for (const [name, job] of Object.entries(workflow.jobs))
      if (job.uses === undefined) expect(job['timeout-minutes'], name).toBeLessThanOrEqual(120)
  })

  test('uses few actions, each with a version, and workflows that exist', () => {
    for (const { uses } of stepsOf(workflow)) {
      if (uses?.startsWith('./')) expect(existsSync(join(root, uses)), uses).toBe(true)
      else if (uses !== undefined) {
        const [name = '', version = ''] = uses.split('@')
        expect(ACTIONS).toContain(name)
        expect(version, uses).toMatch(/^(?:v\d+|[0-9a-f]{40})$/)
      }
    }
  })

  test('runs valid shell scripts, into which no value is pasted, and scripts that exist', () => {
    const { scripts } = JSON.parse(contentOf('package.json')) as { scripts: Record<string, string> }
    for (const { run = '' } of stepsOf(workflow)) {
      // GitHub replaces expressions before the shell reads the line: a branch name would be code.
      expect(run).not.toContain('${{')
      const { status, stderr } = spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' })
      expect([status, stderr], run).toEqual([0, ''])
      for (const [, name = ''] of run.matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty(name)
      for (const [script] of run.matchAll(/^\.ci\/\S+/g)) expect(existsSync(join(root, script))).toBe(true)
    }
  })
})

test('the parser notices a wrong key, a wrong expression and a job that does not exist', async () => {
  const job = 'runs-on: ubuntu-24.04\n    steps: [{ run: "true" }]'
  const valid = `on: push\njobs:\n  a:\n    ${job}\n`
  expect(await problemsIn(valid)).toEqual([])
  for (const wrong of [
    valid.replace('steps', 'step'),
    valid.replace(job, `if: \${{ nothing.here }}\n    ${job}`),
    valid.replace(job, `needs: b\n    ${job}`),
    valid.replace('on: push', 'on: pushed'),
  ])
    expect(await problemsIn(wrong), wrong).not.toEqual([])
})

const FIELD_TYPES = ['markdown', 'input', 'textarea', 'dropdown', 'checkboxes']

test.each(readdirSync(join(root, FORMS)).filter((name) => name !== 'config.yml'))(
  'the form %s has what GitHub requires',
  (name) => {
    const form = parse(contentOf(`${FORMS}/${name}`)) as {
      name: string
      description: string
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[]
    }
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const fields = form.body.filter(({ type }) => type !== 'markdown')
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    for (const { type, id, attributes } of form.body) {
      expect(FIELD_TYPES).toContain(type)
      if (type === 'markdown') expect(attributes.value).toBeTruthy()
      else expect([/^[\w-]+$/.test(id ?? ''), typeof attributes.label]).toEqual([true, 'string'])
    }
  },
)

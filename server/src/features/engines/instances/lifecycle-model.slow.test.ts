import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../../test/database.ts'
import type { Fault } from '../../../../test/faulty-link.ts'
import {
  CHALLENGES,
  extend,
  LIMITS,
  openSystem,
  start,
  stop,
  TEAMS,
  type System,
} from '../../../../test/instance-model.ts'
import { modelEngines } from '../../../../test/model-engines.ts'
import { instancerProviders } from '../../../providers/instancer/all.ts'

// Model-based test: random interleavings of all instance operations in two processes with one engine. After
// every step, the engine must not exceed the limits. At the end, the slots must match the engine, with
// nothing left over. A failure prints the seed and the shortest failing sequence of commands.

/**
 * Sequences for all engines together. To run more: `PENNANT_INSTANCE_RUNS=2000 npx vitest run
 * lifecycle-model`.
 */
const runs = Number(process.env['PENNANT_INSTANCE_RUNS'] ?? 60)
const seed = process.env['PENNANT_INSTANCE_SEED']
const MAX_COMMANDS = 25
/** Share of the sequences, depending on how long a start takes. */
const SHARE: Readonly<Record<string, number>> = {
  'instancers/memory': 0.4,
  'instancers/http': 0.3,
  'instancers/docker': 0.15,
  'instancers/kubernetes': 0.15,
}

class Command implements fc.AsyncCommand<object, System> {
  readonly #name: string
  readonly #act: (system: System) => void | Promise<void>

  constructor(name: string, act: (system: System) => void | Promise<void>) {
    this.#name = name
    this.#act = act
  }

  check = () => true

  async run(_: object, system: System): Promise<void> {
    await this.#act(system)
    await system.check()
  }

  toString = () => this.#name
}

const processes = fc.nat({ max: 1 })
const targets = fc.tuple(fc.constantFrom(...TEAMS), fc.constantFrom(...CHALLENGES))
const faults = fc.constantFrom<Fault>('none', 'slow', 'late', 'refused', 'cut')
const times = fc.constantFrom(1_000, 30_000, 60_000, 120_000, 400_000, 1_000_000)

type Call = (at: ReturnType<System['process']>, system: System, target: [string, string]) => Promise<unknown>
const calls = {
  start: (at, system, target) => start(at, system.engine, target),
  stop: (at, _, target) => stop(at, target),
  extend: (at, _, target) => extend(at, target),
} satisfies Record<string, Call>

const call = (name: keyof typeof calls) =>
  fc.tuple(processes, targets).map(([number, target]) => {
    return new Command(`${name} ${target.join('/')} at ${number}`, (system) => {
      const at = system.process(number)
      system.begin(at, () => calls[name](at, system, target))
    })
  })

const commands = [
  call('start'),
  call('start'),
  call('stop'),
  call('stop'),
  call('extend'),
  fc
    .tuple(processes, faults, fc.nat({ max: 8 }))
    .map(
      ([number, fault, after]) =>
        new Command(`${fault} at ${number} after ${after}`, (system) =>
          system.process(number).link.set(fault, after),
        ),
    ),
  processes.map(
    (number) => new Command(`release at ${number}`, (system) => system.process(number).link.release()),
  ),
  processes.map((number) => new Command(`crash of ${number}`, (system) => system.crash(number))),
  processes.map(
    (number) =>
      new Command(`reconcile at ${number}`, (system) => {
        const at = system.process(number)
        system.begin(at, () => at.reconcile())
      }),
  ),
  times.map((ms) => new Command(`${ms} ms`, (system) => system.advance(ms))),
  fc.constant(new Command('engine settles', ({ engine }) => engine.settle())),
  fc.constant(new Command('removal takes longer', ({ engine }) => engine.delayRemoval())),
  fc
    .tuple(fc.constantFrom(...TEAMS), fc.boolean())
    .map(
      ([team, isBanned]) =>
        new Command(`${isBanned ? 'ban' : 'unban'} ${team}`, (system) => system.ban(team, isBanned)),
    ),
]

test('the model covers every instancer', () => {
  expect(Object.keys(modelEngines).toSorted()).toEqual(instancerProviders.map(({ name }) => name).toSorted())
})

describe.each(Object.entries(modelEngines))('%s', (name, openEngine) => {
  test('never exceeds the limits and finally agrees with the slots', async () => {
    await using database = await openTestDatabase()
    const { db } = database
    const sequences = fc.commands(commands, { maxCommands: MAX_COMMANDS, size: 'max' })
    const property = fc.asyncProperty(sequences, async (sequence) => {
      await using system = await openSystem({ db, openEngine })
      // One team starts at its limit, so that most sequences reach the limits.
      for (const challenge of CHALLENGES.slice(0, LIMITS.maxPerTeam))
        await start(system.process(0), system.engine, [TEAMS[0] ?? '', challenge])
      await fc.asyncModelRun(() => ({ model: {}, real: system }), sequence)
      await system.recover()
    })
    const numRuns = Math.ceil(runs * (SHARE[name] ?? 0.25))
    await fc.assert(property, { numRuns, ...(seed !== undefined && { seed: Number(seed) }) })
  }, 600_000)
})

import { serveTask } from './lib/isolated.ts'

// The program that `runIsolated` starts.

serveTask({
  'challenge-archive': async () =>
    (await import('./features/organisers/archives/read-archive.ts')).readArchiveParts,
  contest: async () => (await import('./ops/import/upload/contest-parts.ts')).readContestParts,
  'fair-play-signals': async () =>
    (await import('./features/organisers/fair-play/signals/task.ts')).yieldSignals,
})

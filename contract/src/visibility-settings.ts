import { z } from 'zod'
import { visibilityLevels } from './visibility.ts'

const level = z.enum(visibilityLevels)

/** docs/operate/closed-events.md */
export const VisibilitySettings = z
  .object({ challenges: level, scoreboard: level, profiles: level, statistics: level, home: level })
  .partial()

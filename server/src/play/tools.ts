import { readBotTool, sendBotTool } from './bot.ts'
import { filesTool, listTool, readTool, submitTool } from './challenges.ts'
import { instanceTools } from './instances.ts'
import { announcementsTool } from './announcements.ts'
import { hintTool } from './hints.ts'
import { askTool, questionsTool } from './questions.ts'
import { pageTool } from './pages.ts'
import { eventTool, scoreboardTool, standingTool } from './standing.ts'
import type { PlayTool } from './tool.ts'

/** Everything that a team can do from a program: docs/reference/agents.md */
export const playTools: readonly PlayTool[] = [
  eventTool,
  pageTool,
  listTool,
  readTool,
  filesTool,
  submitTool,
  hintTool,
  ...instanceTools,
  sendBotTool,
  readBotTool,
  standingTool,
  scoreboardTool,
  announcementsTool,
  questionsTool,
  askTool,
]

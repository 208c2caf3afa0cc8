import { PUSHED_SCORES } from '@pennant/contract/actions.ts'
import { adminActionsMessages, type AdminActionsMessages } from '../../text/en/admin-actions.ts'
import { useMessages } from '../../text/messages.ts'

/** What an action is called; one that this version of the site does not know, by its name in the log. */
export function useActionName() {
  const names: Readonly<Record<string, string>> = useMessages(adminActionsMessages).names
  return (action: string) => (Object.hasOwn(names, action) ? (names[action] ?? action) : action)
}

/** Who acted without being a team. */
export function otherActor(name: string | null, text: AdminActionsMessages): string {
  return name === PUSHED_SCORES ? text.pushedScores : text.commandLine
}

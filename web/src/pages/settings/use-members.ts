import { createMember, deleteMember, listMembers } from '@pennant/contract/teams.ts'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { requestData, send } from '../../api/client.ts'
import { OWN_KEY } from '../../api/queries.ts'
import type { Change } from './use-change.ts'

/** Time to undo a removal; the request is sent afterwards. */
const UNDO_MS = 5000

const membersQuery = queryOptions({
  queryKey: [OWN_KEY, 'members'],
  queryFn: ({ signal }) => requestData(listMembers, {}, { signal }),
})

/** The members of the viewer's team, with removals that can still be undone. */
export function useMembers(change: Change, confirmRemoval: () => void) {
  const query = useQuery(membersQuery)
  const queryClient = useQueryClient()
  const [going, setGoing] = useState<readonly string[]>([])
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const open = timers.current
    // Leaving the page confirms pending removals.
    return () => {
      for (const [id, timer] of open) {
        clearTimeout(timer)
        void send(deleteMember, { params: { id } }).catch(() => undefined)
      }
      open.clear()
      void queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
    }
  }, [queryClient])
  const reload = () => queryClient.invalidateQueries({ queryKey: membersQuery.queryKey })
  const stays = (id: string) => {
    clearTimeout(timers.current.get(id))
    timers.current.delete(id)
    setGoing((now) => now.filter((each) => each !== id))
  }
  const removeNow = async (id: string) => {
    timers.current.delete(id)
    await change.run(() => send(deleteMember, { params: { id } }), confirmRemoval)
    await reload()
    stays(id)
  }
  return {
    query,
    going,
    undo: stays,
    remove(id: string) {
      if (timers.current.has(id)) return
      setGoing((now) => [...now, id])
      timers.current.set(
        id,
        setTimeout(() => void removeNow(id), UNDO_MS),
      )
    },
    /** Returns whether the member was added. */
    async add(email: string, confirm: () => void): Promise<boolean> {
      const response = await change.run(() => send(createMember, { body: { email } }), confirm)
      if (response) await reload()
      return response !== null
    },
  }
}

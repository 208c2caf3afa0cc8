import type { AdminSubmissionsWords } from '../en/admin-submissions.ts'

export const adminSubmissions: AdminSubmissionsWords = {
  title: 'Einreichungen',
}

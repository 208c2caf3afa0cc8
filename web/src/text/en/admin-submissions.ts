export const adminSubmissions = {
  title: 'Submissions',
}

export type AdminSubmissionsWords = typeof adminSubmissions

/**
 * Two invented companies with different stacks, described richly enough that a scan finds tools in all nine areas.
 * Every token, account and person in them is made up; the vendors' host names and the shapes of the values are real.
 */

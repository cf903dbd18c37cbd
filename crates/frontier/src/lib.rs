//! What waits, and when may it be asked for?

/**
 * What the server answers with, for the editor and the type checker; nothing runs here.
 *
 * @typedef {string | number | boolean | (string | number)[]} Value
 *
 * @typedef {object} Param
 * @property {string} name
 * @property {string} label what people call it
 * @property {string} about
 * @property {Value[] | null} values what there is to choose from; null: a number from low to high
 * @property {string[]} words what people call these values
 * @property {number | null} low
 * @property {number | null} high
 * @property {Value} default
 *
 * @typedef {object} GameChoice
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {Param[]} params
 * @property {string[]} scripted the weakest first
 * @property {Record<string, Value> | null} search_wins parameters of the tables where a search beats
 *   the scripted players
 *
 * @typedef {object} Checkpoint
 * @property {string} name
 * @property {string} game
 * @property {{params: Record<string, Value>, beats_scripted: boolean, strength: string}[]} tables
 *   those that it was trained for, whether it has beaten the strongest scripted player there, and how
 *   often; "" if that was not measured
 * @property {string} about
 * @property {boolean} searches whether a tree search can use it
 * @property {boolean} shipped whether it came with the package
 *
 * @typedef {object} Choices
 * @property {GameChoice[]} games
 * @property {Checkpoint[]} checkpoints
 * @property {string[]} own players of the host, for any game
 * @property {{rollouts: number, seconds: number}} limits
 *
 * @typedef {object} Settings what a table is made of
 * @property {string} game
 * @property {Record<string, Value>} params
 * @property {string[]} seats
 * @property {number | null} seed
 *
 * @typedef {object} TableRow one table in the list
 * @property {string} id
 * @property {string} title
 * @property {string} about the rules in words
 * @property {string[]} seats
 * @property {number} moves
 * @property {boolean} over
 * @property {"table" | "replay"} kind
 * @property {boolean} mine
 * @property {boolean} my_turn
 * @property {string | null} failed why it cannot go on
 * @property {number[]} open
 * @property {string} created
 * @property {boolean} can_delete
 *
 * @typedef {object} Seat
 * @property {string} agent
 * @property {string} short the player's name in sentences
 * @property {string} name
 * @property {boolean} mine
 * @property {boolean} open
 *
 * @typedef {object} Decision
 * @property {number} k
 * @property {number} seat
 * @property {string} action
 * @property {string} name what people call the action
 *
 * @typedef {object} TableInfo
 * @property {number} changes how often the table has changed
 * @property {string} id
 * @property {"table" | "replay"} kind
 * @property {string} game
 * @property {string} title
 * @property {string} about
 * @property {Record<string, Value>} params
 * @property {Seat[]} seats
 * @property {string[]} retrained those that were retrained since the table was made
 * @property {number | null} my_seat
 * @property {string | null} my_name as others see it, empty if none yet; null: nobody else plays
 * @property {boolean} may_see_all
 * @property {number} moves
 * @property {boolean} over
 * @property {number | null} mover
 * @property {boolean} my_turn
 * @property {string | null} failed
 * @property {boolean} can_delete
 * @property {string} [invitation] the address of the invitation, for those who may invite
 * @property {Decision[]} decisions
 *
 * @typedef {object} Legal
 * @property {string} action
 * @property {string} name
 * @property {string} words
 *
 * @typedef {object} Frame
 * @property {number} k
 * @property {number} moves
 * @property {boolean} over
 * @property {string} view
 * @property {number | null} mover
 * @property {string} svg
 * @property {string} text
 * @property {string} situation
 * @property {number} drafted letters of a word that is not laid yet
 * @property {Legal[]} legal
 * @property {boolean} may_act
 * @property {number[]} scores
 * @property {number[]} ranks
 * @property {Decision | null} next
 * @property {string | null} result
 *
 * @typedef {object} Thought
 * @property {string} action
 * @property {string} name
 * @property {string} words
 * @property {number | null} probability
 * @property {number | null} visits
 * @property {number | null} value
 *
 * @typedef {object} Thoughts
 * @property {string} by
 * @property {"policy" | "action_values" | "search" | "scripted"} kind
 * @property {string} choice
 * @property {number | null} value
 * @property {Thought[]} actions
 */

export {};

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ContestsConfig(AppConfig):
    name = "games.contests"
    verbose_name = _("contests")

    def ready(self) -> None:
        from accounts import hooks as people
        from games.contests import reactions
        from games.contests.ratings import history
        from games.contests.seeks import services as seeks
        from games.tables import hooks as tables

        tables.after_contest.append(reactions.contest_ended)
        tables.after_void.append(reactions.game_voided)
        tables.after_intervention.append(reactions.staff_intervened)
        tables.rating_of.append(reactions.rating_of)
        tables.is_match.append(reactions.is_match)
        tables.is_of_competition.append(reactions.is_of_competition)
        tables.competition_of.append(reactions.competition_name)
        tables.is_involved.append(reactions.plays_in_competition)
        tables.is_banned.append(reactions.is_banned)
        tables.blocked.append(reactions.withdraw_questions)
        people.renamed.insert(0, reactions.rename_entrants)  # competitions are locked before games, and results after
        people.renamed.append(reactions.rename_results)
        people.name_replaced.append(reactions.replace_old_name)
        people.merged.append(reactions.move_scores)
        people.merged.append(seeks.move)
        people.before_deletion.insert(0, reactions.before_deletion)  # for the same reason
        people.step_changed.append(reactions.step_changed)
        people.commitments.append(reactions.commitments)
        people.withheld["contests.Score"] = history.without_later_games
